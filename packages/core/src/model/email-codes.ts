import type { RedactingLogger } from "./callbacks.ts";
import type { Store } from "./store.ts";
import type { Texts } from "./texts.ts";
import type { Markup } from "./theme.ts";
import type { Seconds } from "./units.ts";

/**
 * Codes that e-mails contain in addition to their link (docs/email.md#codes). They are created, verified and limited by what the provider
 * object brings. Core decides which browser may use a code, whether an attempt is allowed, and consumes the token of code and link.
 */
export interface EmailCodes {
  /** How long a code is valid, in seconds. */
  readonly maxAge: Seconds;
  /** Loads the code with the first e-mail. */
  load(): Promise<LoadedEmailCodes>;
}

/** Creates and verifies codes. */
export interface LoadedEmailCodes {
  /**
   * Creates a code. Called for every requested e-mail, whether or not it is sent.
   *
   * @param of id of the sign-in and the address: the code is bound to both.
   * @returns the code, undefined if the e-mail may not contain one, and what {@link verify} needs. The requesting browser keeps that encrypted.
   */
  issue(
    of: { readonly flow: string; readonly address: string },
    t: EmailCodeTools,
  ): Promise<{ readonly code: string | undefined; readonly proof: string }>;
  /** Reads what was typed; null if it cannot be a code, which does not count as an attempt. */
  parse(typed: unknown): string | null;
  /**
   * Whether a code is right. Counts the attempt.
   *
   * @throws errors of the store; the code is then not accepted.
   */
  verify(
    code: string,
    of: { readonly flow: string; readonly address: string; readonly proof: string },
    t: EmailCodeTools,
  ): Promise<boolean>;
  /**
   * The content of the form on the page `verify-request`, and the texts that replace those of the page.
   *
   * @param own texts of the application.
   * @param isWrong whether a code was just rejected.
   */
  form(
    own: Partial<Texts["verifyRequest"]["code"]>,
    isWrong: boolean,
  ): { readonly text: string; readonly sent: string; readonly content: Markup };
}

/** What codes need of the application. */
export interface EmailCodeTools {
  /** Id of the e-mail provider. */
  readonly provider: string;
  /** Counts attempts for all processes. */
  readonly store: Store;
  /** Redacts the secrets of the application. */
  readonly logger: RedactingLogger;
  /** Keyed hashes of texts in base64url, one under each accepted secret, the current one first. */
  macs(use: "code" | "tries", ...texts: readonly string[]): Promise<readonly string[]>;
}
