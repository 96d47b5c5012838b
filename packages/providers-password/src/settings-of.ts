import type { Tools } from "@cardea/core/extend";
import type { Settings } from "./options.ts";

const known = new WeakMap<object, Settings>();

/** Remembers what an extension was made with, for functions that server code calls. */
export function rememberSettings<E extends object>(extension: E, settings: Settings): E {
  known.set(extension, settings);
  return extension;
}

/** The settings of the configured extension. @throws Error when `Password()` did not make it. */
export function settingsOf(t: Tools): Settings {
  const settings = known.get(t.extension);
  if (settings !== undefined) return settings;
  throw new Error("The extension of Password() was copied or replaced: use the provider object as it was returned.");
}
