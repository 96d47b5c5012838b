/** What the local provider uses of npm `oidc-provider`. */
export type ProviderModule = typeof import("oidc-provider");

/** The one notice that is of no use to anyone who runs tests; the package says it while it is being loaded. */
const UNSUPPORTED_RUNTIME = "oidc-provider WARNING: Unsupported runtime";

/**
 * Loads npm `oidc-provider`, without its notice that Node 20 is older than what it is developed on: these flows are tested
 * on Node 20. Every other warning comes through.
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
