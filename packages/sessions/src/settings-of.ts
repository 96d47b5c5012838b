import type { Tools } from "@cardea/core/extend";
import type { SessionSettings } from "./settings.ts";

const known = new WeakMap<object, SessionSettings>();

/** Remembers what an extension was made with, for functions that server code calls. */
export function rememberSettings<E extends object>(extension: E, settings: SessionSettings): E {
  known.set(extension, settings);
  return extension;
}

/** The settings of the configured extension. @throws Error when `sessions()` did not make it. */
export function settingsOf(t: Tools): SessionSettings {
  const settings = known.get(t.extension);
  if (settings !== undefined) return settings;
  throw new Error("The extension of sessions() was copied or replaced: use the object as it was returned.");
}

/** Nothing may say that sessions ended where no read would find that out. @throws Error. */
export function requireEnds({ check }: Pick<SessionSettings, "check">): void {
  if (check !== "off") return;
  throw new Error('sessions(): with `revocation.check` "off" no session can be ended. Choose "log" or "each".');
}
