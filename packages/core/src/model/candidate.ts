import type { AdapterUser } from "./adapter.ts";
import type { AddedFacts } from "./added-facts.ts";
import type { Account, Profile, TokenSet, User } from "./records.ts";
import type { SessionFacts } from "./session-facts.ts";

/** A user who has proven who they are, and for whom nothing has been written. */
export interface Candidate {
  readonly user: User | AdapterUser;
  /** True when this sign-in created the user. */
  readonly isNewUser: boolean;
  /** How they signed in, without the provider's tokens. */
  readonly account: Pick<Account, "provider" | "providerAccountId" | "type">;
  readonly profile: Profile | undefined;
  /** The claims of the ID token after verification (OIDC Core §3.1.3.7); undefined without one. */
  readonly idToken: Profile | undefined;
  /** The facts that the session will have, before extensions add theirs. */
  readonly facts: SessionFacts;
  /** Where the user goes after sign-in; checked. */
  readonly callbackUrl: string;
}

/** Answer of `admit`. */
export type Admission =
  | { readonly admit: true; readonly facts?: AddedFacts }
  /**
   * Redirects to this action of the extension; no one is signed in, nothing is written. Where there is a store, the sign-in is kept for
   * ten minutes, and the action completes it, see {@link ActionRequest.pendingSignIn}.
   */
  | { readonly ask: string }
  /** Refuses the sign-in; the reason goes to the log, never to the client. */
  | { readonly refuse: string };

/** What an OAuth 2 or OpenID Connect provider granted at a sign-in. */
export interface GrantedTokens {
  readonly account: Candidate["account"];
  /** What `account()` of the provider chose to keep. */
  readonly tokens: TokenSet;
  readonly userId: string;
  /** Public id of the session that will be issued. */
  readonly sid: string;
  readonly facts: SessionFacts;
}
