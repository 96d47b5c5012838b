import type { Tools } from "@cardea/extend";
import type { Settings } from "./options.ts";

const known = new WeakMap<object, Settings>();

/** Remembers the settings of an extension, for functions called by server code. */
export function rememberSettings<E extends object>(extension: E, settings: Settings): E {
  known.set(extension, settings);
  return extension;
}

/** The settings of the configured extension. @throws Error if it was not created by `Password()`. */
export function settingsOf(t: Tools): Settings {
  const settings = known.get(t.extension);
  if (settings !== undefined) return settings;
  throw new Error("The extension of Password() was copied or replaced. Pass the returned provider object unchanged.");
}
