import type { Tools } from "@cardea/extend";
import type { SessionSettings } from "./settings.ts";

const known = new WeakMap<object, SessionSettings>();

/** Remembers the settings of an extension, for functions called by server code. */
export function rememberSettings<E extends object>(extension: E, settings: SessionSettings): E {
  known.set(extension, settings);
  return extension;
}

/** The settings of the configured extension. @throws Error if it was not created by `sessions()`. */
export function settingsOf(t: Tools): SessionSettings {
  const settings = known.get(t.extension);
  if (settings !== undefined) return settings;
  throw new Error("The extension returned by sessions() was copied or replaced. Pass the returned object unchanged.");
}

/** Ending sessions must not appear to succeed if no read checks for it. @throws Error. */
export function requireEnds({ check }: Pick<SessionSettings, "check">): void {
  if (check !== "off") return;
  throw new Error('sessions(): sessions cannot be ended while `revocation.check` is "off". Use "log" or "each".');
}
