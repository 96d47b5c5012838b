import { configurationChecks } from "./checks/configuration.ts";
import { databaseChecks } from "./checks/databases.ts";
import { environmentChecks } from "./checks/environment.ts";
import { extensionChecks } from "./checks/extensions.ts";
import { passkeyChecks } from "./checks/passkeys.ts";
import { projectChecks } from "./checks/project.ts";
import { redisChecks } from "./checks/redis.ts";
import { runningChecks } from "./checks/running.ts";
import type { Check, Facts, Finding } from "./facts.ts";

/** All checks, by id. */
export const CHECKS: Readonly<Record<string, Check>> = {
  ...environmentChecks,
  ...configurationChecks,
  ...projectChecks,
  ...databaseChecks,
  ...extensionChecks,
  ...passkeyChecks,
  ...runningChecks,
  ...redisChecks,
};

/** Runs all checks on the facts. Pure: the same facts give the same findings. */
export function diagnose(facts: Facts): readonly Finding[] {
  return Object.entries(CHECKS).flatMap(([id, check]) => check(facts).map((finding) => ({ id, ...finding })));
}

/** Explains how the origin of a request is determined. */
export function explainOrigin({ env, configurations }: Facts): readonly string[] {
  const isTrusted =
    /^(?:true|1)$/i.test(env.AUTH_TRUST_HOST ?? "") ||
    env.VERCEL !== undefined ||
    env.CF_PAGES !== undefined ||
    configurations.some(({ call }) => /trustHost:\s*true/.test(call.getText()));
  if (env.AUTH_URL) return [`The origin is AUTH_URL: ${env.AUTH_URL}. Request headers are ignored.`];
  if (!isTrusted) return ["AUTH_URL is not set and no host is trusted, so every request is rejected in production."];
  return [
    "AUTH_URL is not set, and the request's host is trusted. The origin is determined by:",
    "  host: X-Forwarded-Host, otherwise Host",
    "  scheme: X-Forwarded-Proto, otherwise the scheme of the connection",
    "  The proxy must set both headers; otherwise clients can choose them.",
  ];
}
