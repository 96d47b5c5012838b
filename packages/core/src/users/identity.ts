import type { AdapterUser } from "../model/adapter.ts";
import type { Account, Authenticator, Profile, User } from "../model/records.ts";
import type { ResolvedEmailProvider } from "../model/resolved-config.ts";
import type { EmailClaim } from "../protocol/email-claim.ts";

/** What a ceremony proves: who the user is at a provider. Nothing of it has been written anywhere. */
export type Identity = OAuthIdentity | EmailIdentity | CredentialsIdentity | PasskeyIdentity;

/** What `callbacks.signIn` is called with: an identity, or before an e-mail is sent the address that was typed. */
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
  /** Fingerprint of the session that started the ceremony; undefined when no one was signed in then. */
  readonly startedIn: string | undefined;
  /** What the provider states about the e-mail address. */
  readonly emailClaim: EmailClaim;
  /** `allowDangerousEmailAccountLinking` of the provider. */
  readonly linkByEmail: boolean;
}

/** An e-mail address, proven by a link. */
export interface EmailIdentity extends ClaimedIdentity {
  readonly kind: "email";
  readonly provider: ResolvedEmailProvider;
  /** When the link was sent. */
  readonly provenAt: Date;
  /** Whether the owner of the address decided against the user who has it, and gets a new one. */
  readonly startsFresh: boolean;
}

/** A user whom `authorize` returned. */
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
  /** Whose passkey it is, by its own record and by its account. */
  readonly user: AdapterUser;
  readonly credentialID: string;
  /** Id of the user who is signed in already; null for none. */
  readonly signedInAs: string | null;
  /** The authenticator's counter; stored after everything else has succeeded. */
  readonly counter: number;
}

/** A passkey that is being registered. */
export interface NewPasskeyIdentity extends ClaimedIdentity {
  readonly kind: "webauthn";
  readonly ceremony: "register";
  readonly authenticator: Omit<Authenticator, "userId">;
  /** The user who is signed in, in the session that started the registration: it is a further passkey of theirs. */
  readonly addTo: AdapterUser | null;
  /** Fingerprint of that session; empty if no one is signed in. */
  readonly session: string;
}
