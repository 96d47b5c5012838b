import { configurationChecks } from "./checks/configuration.ts";
import { environmentChecks } from "./checks/environment.ts";
import { projectChecks } from "./checks/project.ts";
import { redisChecks } from "./checks/redis.ts";
import { runningChecks } from "./checks/running.ts";
import type { Check, Facts, Finding } from "./facts.ts";

/** Every check by the id of its fault. */
export const CHECKS: Readonly<Record<string, Check>> = {
  ...environmentChecks,
  ...configurationChecks,
  ...projectChecks,
  ...runningChecks,
  ...redisChecks,
};

/** Runs every check over the facts. Pure: the same facts give the same findings. */
export function diagnose(facts: Facts): readonly Finding[] {
  return Object.entries(CHECKS).flatMap(([id, check]) => check(facts).map((finding) => ({ id, ...finding })));
}

/** Who decides the origin of a request, in order; the first that applies does. */
export function explainOrigin({ env, configurations }: Facts): readonly string[] {
  const isTrusted =
    /^(?:true|1)$/i.test(env.AUTH_TRUST_HOST ?? "") ||
    env.VERCEL !== undefined ||
    env.CF_PAGES !== undefined ||
    configurations.some(({ call }) => /trustHost:\s*true/.test(call.getText()));
  if (env.AUTH_URL) return [`AUTH_URL decides: ${env.AUTH_URL}. No header of a request is read.`];
  if (!isTrusted) return ["AUTH_URL is not set and no host is trusted: in production every request is refused."];
  return [
    "AUTH_URL is not set, and the host is trusted. Read in this order:",
    "  host: X-Forwarded-Host, else Host",
    "  scheme: X-Forwarded-Proto, else that of the connection",
    "  Let the proxy set both, or a client chooses them.",
  ];
}
