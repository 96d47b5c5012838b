import { resolveExtensions } from "../config/resolve-extensions.ts";
import { type ExtensionKit, KIT } from "../config/use-extensions.ts";
import type { Extension, ExtensionSpec } from "../model/extension.ts";

/** What checks extensions is needed at start, what calls them with the first request. */
const kit: ExtensionKit = (given, listed) =>
  resolveExtensions(given, listed, async (list) => (await import("./create-runner.ts")).createRunner(list));

/** Makes an extension for the option `extensions` of an application. */
export function defineExtension(spec: ExtensionSpec): Extension {
  // With what core checks and calls it by, it is one.
  return { ...spec, [KIT]: kit } as ExtensionSpec as Extension;
}
