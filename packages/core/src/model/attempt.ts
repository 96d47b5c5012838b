import type { ProviderType } from "./records.ts";
import type { Seconds } from "./units.ts";

/** A try to sign in or to prove something, before anything of it is checked. */
export interface Attempt {
  /** What would be done: `signin` (a password or a passkey), `email` (send a link), `email-link` (redeem one), `email-code` (try a code), `oauth` (leave for a provider), or what an extension names. */
  readonly action: string;
  /** Id of the provider. */
  readonly provider: string;
  readonly type: ProviderType;
  /** The address that a mail would go to or a link is of; absent for other types. */
  readonly identifier?: string | undefined;
  /** What was typed; only with `credentials`. */
  readonly credentials?: Readonly<Record<string, unknown>> | undefined;
  /** The user whose factor is tried, where that is known. */
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
