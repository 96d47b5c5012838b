import { resolveExtensions } from "../config/resolve-extensions.ts";
import { type ExtensionKit, KIT } from "../config/use-extensions.ts";
import type { Extension, ExtensionSpec } from "../model/extension.ts";

/** Extensions are validated at startup; the code that calls them is loaded on the first request. */
const kit: ExtensionKit = (given, listed) =>
  resolveExtensions(given, listed, async (list) => (await import("./create-runner.ts")).createRunner(list));

/** Creates an extension for the option `extensions` of an application. */
export function defineExtension(spec: ExtensionSpec): Extension {
  // The kit that core uses to check and call it makes it an extension.
  return { ...spec, [KIT]: kit } as ExtensionSpec as Extension;
}
