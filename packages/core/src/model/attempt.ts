import type { ProviderType } from "./records.ts";
import type { Seconds } from "./units.ts";

/** An attempt to sign in or to prove something, before it is checked. */
export interface Attempt {
  /**
   * The operation: `signin` (password or passkey), `email` (send a link), `email-link` (redeem a link), `email-code`
   * (enter a code), `oauth` (redirect to a provider), or one defined by an extension.
   */
  readonly action: string;
  /** Id of the provider. */
  readonly provider: string;
  /** Type of the provider. */
  readonly type: ProviderType;
  /** The e-mail address of the message or link; absent for other types. */
  readonly identifier?: string | undefined;
  /** The submitted fields; only with `credentials`. */
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  /** The user whose factor is checked, if known; after a sign-in, its user. */
  readonly userId?: string | undefined;
}

/** Answer of `attempt`. */
export type AttemptVerdict =
  | { readonly allow: true }
  | {
      readonly allow: false;
      /** Shown to the client as `code`: letters, digits, `_` and `-`. */
      readonly code: string;
      readonly retryAfter: Seconds;
    };
