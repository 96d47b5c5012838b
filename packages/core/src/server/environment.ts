import type { Environment } from "../config/env.ts";

/** The environment variables of the runtime, if it has any. */
export function runtimeEnvironment(): Environment {
  const runtime: unknown = Reflect.get(globalThis, "process");
  // A runtime without `process` counts as production: a secret is required, and hosts are not trusted.
  return asProcess(runtime)?.env ?? { NODE_ENV: "production" };
}

/** A cast: `process` has no type here, because core also runs in runtimes without it. */
function asProcess(runtime: unknown): { readonly env?: Environment } | undefined {
  return runtime as { readonly env?: Environment } | undefined;
}
