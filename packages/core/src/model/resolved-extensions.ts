import type { Extension } from "./extension.ts";
import type { ActionSpec } from "./extension-action.ts";
import type { JWT } from "./records.ts";
import type { SessionFormat } from "./session-format.ts";
import type { EpochSeconds, Seconds } from "./units.ts";

/** The extensions of a configuration, checked. */
export interface ResolvedExtensions {
  readonly list: readonly Extension[];
  /** Actions by first segment, then by method. */
  readonly actions: ReadonlyMap<string, ReadonlyMap<string, ExtensionAction>>;
  readonly formats: SessionFormats;
  /** Whether some extension checks sessions. */
  readonly checks: boolean;
  /** Whether a record of each session is kept. */
  readonly recordsSessions: boolean;
  /** Whether one of them stores the tokens of providers. */
  readonly keepsTokens: boolean;
  /** Whether session tokens are stored as hashes. */
  readonly hashesTokens: boolean;
  /** What calls them, once it is loaded; see `context/extension-runner.ts`. */
  runner: object | undefined;
  load(): Promise<object>;
}

/** One action and whose it is. */
export interface ExtensionAction {
  readonly extension: Extension;
  readonly spec: ActionSpec;
}

/** A session format, with its name for each scheme. */
export interface NamedFormat {
  readonly format: SessionFormat;
  /** The one name that is read and written. */
  nameOf(secure: boolean): string;
}

/** The session cookies of other libraries. */
export interface SessionFormats {
  /** The format whose cookie is the session; undefined where that is our own. */
  emitted(now: EpochSeconds): NamedFormat | undefined;
  /**
   * The formats that are accepted. One that was the session until a while ago is accepted for another lifetime of a session, so that its
   * end signs no one out.
   */
  accepted(maxAge: Seconds, now: EpochSeconds): readonly NamedFormat[];
  /** Every name that the accepted cookies may have: with each prefix, and without one. */
  cleared(maxAge: Seconds, now: EpochSeconds): readonly string[];
  /** The claims of a token that is of this format and current; else null. Throws what the format throws. */
  open(
    format: SessionFormat,
    token: string,
    name: string,
    jwt: { readonly secrets: readonly string[]; readonly maxAge: Seconds },
    now: EpochSeconds,
  ): Promise<JWT | null>;
}
