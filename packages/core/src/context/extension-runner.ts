import type { ExtensionRunner } from "../model/extension-runner.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { ResolvedExtensions } from "../model/resolved-extensions.ts";

/** What calls the extensions of a configuration; undefined at once where there are none. */
export function loadRunner({ extensions }: ResolvedConfig): Promise<ExtensionRunner> | ExtensionRunner | undefined {
  if (extensions === undefined) return undefined;
  return extensions.runner === undefined ? parseRunner(extensions) : loadedRunner(extensions);
}

async function parseRunner(extensions: ResolvedExtensions): Promise<ExtensionRunner> {
  await extensions.load();
  return loadedRunner(extensions);
}

/** Its type is that of what `config/resolve-extensions.ts` was told to load, which the model cannot name without a circle. */
function loadedRunner({ runner }: ResolvedExtensions): ExtensionRunner {
  return runner as ExtensionRunner;
}
