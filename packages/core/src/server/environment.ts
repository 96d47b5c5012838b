import type { Environment } from "../config/env.ts";

/** The environment variables of the runtime, where it has any. */
export function runtimeEnvironment(): Environment {
  const runtime: unknown = Reflect.get(globalThis, "process");
  // A runtime without `process` is treated as production: a secret is required, and hosts are not trusted.
  return asProcess(runtime)?.env ?? { NODE_ENV: "production" };
}

/** A cast: `process` has no type here, because core runs in runtimes that lack it. */
function asProcess(runtime: unknown): { readonly env?: Environment } | undefined {
  return runtime as { readonly env?: Environment } | undefined;
}
