import type { AdapterUser } from "./adapter.ts";
import type { SignInContext } from "./callbacks.ts";
import type { Account, Profile, User } from "./records.ts";
import type { AddressProvider } from "./resolved-provider.ts";
import type { SignInProof } from "./sign-in-method-spec.ts";

/** Whether a provider reports a user's e-mail address as verified, as unverified, or has no such claim. */
export type EmailClaim = "verified" | "unverified" | "none";

/** The result of authentication: who the user is at a provider. Nothing has been written yet. */
export type Identity = OAuthIdentity | EmailIdentity | CredentialsIdentity | PasskeyIdentity;

/** The parameters of `callbacks.signIn`: an identity, or the submitted address before an e-mail is sent. */
export interface ClaimedIdentity {
  readonly user: User;
  /** With every member of the token response (oauth, oidc), as callbacks receive it. */
  readonly account: Account;
  /** What is stored of the account; default: all of it. */
  readonly stored?: Account | undefined;
  /** The provider's document about the user (oauth, oidc). */
  readonly profile?: Profile | undefined;
  /** The submitted fields (credentials). */
  readonly credentials?: Record<string, string> | undefined;
  /** The `context` that server code passed to `signIn()`. */
  readonly context?: SignInContext | undefined;
  /** The mark of the page `confirm-address` that started the sign-in; undefined for any other. */
  readonly startedFor?: string | undefined;
  /** Undefined if the application started the sign-in, and not the built-in page in a session. */
  readonly choice?: Choice | undefined;
}

/** What to do with an account that is not that of the signed-in user, from whose session the sign-in began on the built-in page. */
export interface Choice {
  /** `ask`: nothing was chosen yet. */
  readonly answer: "ask" | "add" | "switch";
  /** The digest of the account that was chosen for; empty for `ask`. */
  readonly account: string;
}

/** An account at an OAuth or OpenID Connect provider. */
export interface OAuthIdentity extends ClaimedIdentity {
  readonly kind: "oauth";
  /** The address of the user as the provider spelled it; undefined without one. */
  readonly spelling: string | undefined;
  readonly profile: Profile;
  /** Fingerprint of the session that started the sign-in; undefined if no one was signed in. */
  readonly startedIn: string | undefined;
  /** The provider's claim about the e-mail address. */
  readonly emailClaim: EmailClaim;
  /** `allowDangerousEmailAccountLinking` of the provider. */
  readonly linkByEmail: boolean;
  /** Whether the owner of the address declined the existing user with this address and gets a new one. */
  readonly startsFresh: boolean;
  /** The claims of the verified ID token; undefined without one. */
  readonly idToken?: Profile | undefined;
}

/** An e-mail address, proven with a link. */
export interface EmailIdentity extends ClaimedIdentity {
  readonly kind: "email";
  /** The address as the user spelled it, where that is known. */
  readonly spelling?: string | undefined;
  readonly provider: AddressProvider;
  /** When the link was sent. */
  readonly provenAt: Date;
  /** Whether the owner of the address declined the existing user with this address and gets a new one. */
  readonly startsFresh: boolean;
  /** Called once with the user that this proof created; if it throws, that user is deleted again. */
  readonly created?: ((user: AdapterUser) => Promise<void>) | undefined;
}

/** The user that `authorize` returned. */
export interface CredentialsIdentity extends ClaimedIdentity {
  readonly kind: "credentials";
  readonly credentials: Record<string, string>;
}

/** A passkey. */
export interface PasskeyIdentity extends ClaimedIdentity, SignInProof {
  readonly kind: "webauthn";
}
