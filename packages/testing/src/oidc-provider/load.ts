/** The module of npm `oidc-provider`. */
export type ProviderModule = typeof import("oidc-provider");

/** A warning during loading that is of no use in tests. */
const UNSUPPORTED_RUNTIME = "oidc-provider WARNING: Unsupported runtime";

/**
 * Loads npm `oidc-provider` without its warning that Node 20 is older than its development version: these flows are tested on
 * Node 20. All other warnings are shown.
 */
export async function loadProvider(): Promise<ProviderModule> {
  const { warn } = console;
  console.warn = (...lines: unknown[]) => {
    if (!String(lines[0]).includes(UNSUPPORTED_RUNTIME)) warn.apply(console, lines);
  };
  try {
    return await import("oidc-provider");
  } finally {
    console.warn = warn;
  }
}
