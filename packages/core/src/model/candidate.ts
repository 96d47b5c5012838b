import type { AdapterUser } from "./adapter.ts";
import type { Account, Profile, TokenSet, User } from "./records.ts";
import type { AddedFacts, SessionFacts } from "./session-facts.ts";

/** What a user signs in with, and can be added: a sign-in method, an address that replaces another, or a second factor. */
export type AddedMethod = "account" | "address" | "factor" | "passkey" | "password";

/** A user who has proven their identity. Nothing has been written yet. */
export interface Candidate {
  /** The stored user, or the user that this sign-in would create. */
  readonly user: User | AdapterUser;
  /** True when this sign-in created the user. */
  readonly isNewUser: boolean;
  /** How they signed in, without the provider's tokens. */
  readonly account: Pick<Account, "provider" | "providerAccountId" | "type">;
  /** True if the account is about to be added to the user: what its provider says about a second factor is not about the user's own. */
  readonly adds?: true;
  /** The provider's claims about the user (oauth, oidc); undefined for other ways to sign in. */
  readonly profile: Profile | undefined;
  /** The verified claims of the ID token (OIDC Core §3.1.3.7); undefined without one. */
  readonly idToken: Profile | undefined;
  /** The facts that the session will have, before extensions add theirs. With `adds`, those of the session that asks, if one does. */
  readonly facts: SessionFacts;
  /** Public id of the session that the browser has, of any user: it ends when this sign-in succeeds. Undefined without one. */
  readonly replaces?: string | undefined;
  /** Destination after sign-in; already validated. */
  readonly callbackUrl: string;
}

/** Answer of `admit`. */
export type Admission =
  | { readonly admit: true; readonly facts?: AddedFacts }
  /**
   * Redirects to this action of the extension, without signing in or writing anything. With a store, the sign-in stays
   * pending for ten minutes, and the action completes it; see {@link ActionRequest.pendingSignIn}.
   */
  | { readonly ask: string }
  /** Denies the sign-in. The reason is logged and never sent to the client. */
  | { readonly refuse: string };

/** Tokens granted by an OAuth 2.0 or OpenID Connect provider at sign-in. */
export interface GrantedTokens {
  /** The account at the provider, without its tokens. */
  readonly account: Candidate["account"];
  /** The tokens selected by `account()` of the provider. */
  readonly tokens: TokenSet;
  /** Id of the user who signed in. */
  readonly userId: string;
  /** Public id of the session that will be issued. */
  readonly sid: string;
  /** The facts of the session that will be issued. */
  readonly facts: SessionFacts;
}

/** An account whose tokens must no longer be used. */
export interface ForgottenAccount {
  /** The owner of the account. */
  readonly userId: string;
  /** Id of the provider. */
  readonly provider: string;
  /** Id of the account at the provider. */
  readonly providerAccountId: string;
}
