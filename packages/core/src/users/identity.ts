import type { AdapterUser } from "../model/adapter.ts";
import type { Account, Authenticator, Profile, User } from "../model/records.ts";
import type { ResolvedEmailProvider } from "../model/resolved-config.ts";
import type { EmailClaim } from "../protocol/email-claim.ts";

/** The result of authentication: who the user is at a provider. Nothing has been written yet. */
export type Identity = OAuthIdentity | EmailIdentity | CredentialsIdentity | PasskeyIdentity;

/** The parameters of `callbacks.signIn`: an identity, or the submitted address before an e-mail is sent. */
export interface ClaimedIdentity {
  readonly user: User;
  readonly account: Account;
  /** The provider's document about the user (oauth, oidc). */
  readonly profile?: Profile | undefined;
  /** The submitted fields (credentials). */
  readonly credentials?: Record<string, string> | undefined;
}

/** An account at an OAuth or OpenID Connect provider. */
export interface OAuthIdentity extends ClaimedIdentity {
  readonly kind: "oauth";
  readonly profile: Profile;
  /** Fingerprint of the session that started the sign-in; undefined if no one was signed in. */
  readonly startedIn: string | undefined;
  /** The provider's claim about the e-mail address. */
  readonly emailClaim: EmailClaim;
  /** `allowDangerousEmailAccountLinking` of the provider. */
  readonly linkByEmail: boolean;
  /** The claims of the verified ID token; undefined without one. */
  readonly idToken?: Profile | undefined;
}

/** An e-mail address, proven with a link. */
export interface EmailIdentity extends ClaimedIdentity {
  readonly kind: "email";
  readonly provider: ResolvedEmailProvider;
  /** When the link was sent. */
  readonly provenAt: Date;
  /** Whether the owner of the address rejected the existing user with it, and gets a new one. */
  readonly startsFresh: boolean;
}

/** The user that `authorize` returned. */
export interface CredentialsIdentity extends ClaimedIdentity {
  readonly kind: "credentials";
  readonly credentials: Record<string, string>;
}

/** A passkey whose signature, or registration, was verified. */
export type PasskeyIdentity = KnownPasskeyIdentity | NewPasskeyIdentity;

/** A registered passkey that was used. */
export interface KnownPasskeyIdentity extends ClaimedIdentity {
  readonly kind: "webauthn";
  readonly ceremony: "authenticate";
  /** The owner of the passkey, by its own record and by its account. */
  readonly user: AdapterUser;
  readonly credentialID: string;
  /** Id of the signed-in user; null if there is none. */
  readonly signedInAs: string | null;
  /** The authenticator's counter; stored after everything else has succeeded. */
  readonly counter: number;
}

/** A passkey that is being registered. */
export interface NewPasskeyIdentity extends ClaimedIdentity {
  readonly kind: "webauthn";
  readonly ceremony: "register";
  readonly authenticator: Omit<Authenticator, "userId">;
  /** The signed-in user, in the session that started the registration: the passkey is added to them. */
  readonly addTo: AdapterUser | null;
  /** Fingerprint of that session; empty if no one is signed in. */
  readonly session: string;
}
