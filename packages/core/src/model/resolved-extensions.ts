import type { Extension } from "./extension.ts";
import type { ActionSpec } from "./extension-action.ts";
import type { JWT } from "./records.ts";
import type { SessionFormat } from "./session-format.ts";
import type { EpochSeconds, Seconds } from "./units.ts";

/** The validated extensions of a configuration. */
export interface ResolvedExtensions {
  /** The extensions in the order of the configuration. */
  readonly list: readonly Extension[];
  /** Actions by first segment, then by method. */
  readonly actions: ReadonlyMap<string, ReadonlyMap<string, ExtensionAction>>;
  /** The session cookies of other libraries that are read or written; undefined if there are none. */
  readonly formats: SessionFormats | undefined;
  /** The ids of the extensions that check sessions. */
  readonly checks: readonly string[];
  /** Whether sessions are recorded. */
  readonly recordsSessions: boolean;
  /** Whether an extension stores provider tokens. */
  readonly keepsTokens: boolean;
  /** Whether session tokens are stored as hashes. */
  readonly hashesTokens: boolean;
  /** Calls the extensions; its code is loaded with the first call. See `guardOf` in `context/create-context.ts`. */
  readonly guard: object;
}

/** An action with its extension. */
export interface ExtensionAction {
  /** The extension that defines the action. */
  readonly extension: Extension;
  /** The security properties of the action, and its handler. */
  readonly spec: ActionSpec;
}

/** A session format, with its cookie name for each scheme. */
export interface NamedFormat {
  /** The format: decrypts and encrypts its tokens. */
  readonly format: SessionFormat;
  /** The cookie name that is read and written. */
  nameOf(secure: boolean): string;
}

/** The session cookies of other libraries. */
export interface SessionFormats {
  /** The format whose cookie contains the session; undefined for our own. */
  emitted(now: EpochSeconds): NamedFormat | undefined;
  /**
   * The accepted formats. A format that was recently emitted is accepted for one more session lifetime, so that users
   * stay signed in.
   */
  accepted(maxAge: Seconds, now: EpochSeconds): readonly NamedFormat[];
  /** All names of accepted cookies, with and without prefixes. */
  cleared(maxAge: Seconds, now: EpochSeconds): readonly string[];
  /** The claims of a valid, unexpired token of this format; otherwise null. Throws errors of the format. */
  open(
    format: SessionFormat,
    token: string,
    name: string,
    jwt: { readonly secrets: readonly string[]; readonly maxAge: Seconds },
    now: EpochSeconds,
  ): Promise<JWT | null>;
}
