import { isSameId } from "./same-id.ts";

/** Decides which user an identity belongs to: the policy, without a database (docs/behaviour.md#sign-in). */

/** The facts about a user that the decision needs. */
export interface KnownUser {
  readonly id: string;
  /** Whether the user ever verified their e-mail address. */
  readonly emailVerified: boolean;
}

/** Input for the decision about an OAuth identity. */
export interface OAuthLinkingFacts {
  /** The user who already has this account. */
  readonly owner: KnownUser | null;
  /** The signed-in user, and whether this very session started the sign-in. */
  readonly signedIn: { readonly userId: string; readonly startedHere: boolean } | null;
  /** The user with the identity's e-mail address; null if there is none, or if the identity has no address. */
  readonly sameEmail: KnownUser | null;
  /** `allowDangerousEmailAccountLinking` of the provider. */
  readonly linkByEmail: boolean;
  /** Whether the provider reports the address as verified, as unverified, or has no such claim. */
  readonly emailClaim: "verified" | "unverified" | "none";
  /** Whether the owner of the address can be asked: the database stores the question. */
  readonly canAsk: boolean;
  /** The owner of the address has been asked, and wants a new user. */
  readonly startsFresh: boolean;
  /** Whether the provider is the authority for the address (`ownsAddresses` of the provider). */
  readonly ownsAddress: boolean;
}

/** What to do with an OAuth identity. */
export type OAuthLinkingDecision =
  | { readonly kind: "sign-in"; readonly userId: string }
  | { readonly kind: "link"; readonly userId: string }
  | { readonly kind: "create" }
  | { readonly kind: "ask"; readonly userId: string }
  | { readonly kind: "start-fresh"; readonly userId: string }
  | { readonly kind: "refuse"; readonly reason: "belongs-to-another" | "email-taken" };

/**
 * Decides for an OAuth or OpenID Connect identity. The first matching rule applies:
 *
 * 1. The account belongs to a user other than the signed-in one: rejected.
 * 2. The account belongs to a user: they sign in.
 * 3. The signed-in user started this sign-in in this session: the account is linked to them. If the session is newer, or
 *    belongs to another user, the rules continue as if no one were signed in.
 * 4. No user has the e-mail address: a new user is created.
 * 5. Linking by e-mail is allowed, the provider vouches for the address if it has a claim for it, and the existing user
 *    verified the address: the account is linked. Otherwise an unverified address would give access to someone else's
 *    account.
 * 6. The provider vouches for the address, which the existing user never verified: that user may be the owner of the address, or
 *    may have been created by someone else. The owner decides. Only a provider that is the authority for the address lets them
 *    start fresh: one that vouches carelessly must not take addresses away.
 * 7. Rejected.
 */
export function decideOAuthLinking(facts: OAuthLinkingFacts): OAuthLinkingDecision {
  const { owner, signedIn, sameEmail } = facts;
  if (owner !== null && signedIn !== null && !isSameId(signedIn.userId, owner.id)) {
    return { kind: "refuse", reason: "belongs-to-another" };
  }
  if (owner !== null) return { kind: "sign-in", userId: owner.id };
  if (signedIn?.startedHere === true) return { kind: "link", userId: signedIn.userId };
  if (sameEmail === null) return { kind: "create" };
  const userId = sameEmail.id;
  const vouched = facts.linkByEmail && facts.emailClaim !== "unverified" && sameEmail.emailVerified;
  if (vouched) return { kind: "link", userId };
  const isOpen = facts.canAsk && facts.emailClaim === "verified" && !sameEmail.emailVerified;
  if (!isOpen) return { kind: "refuse", reason: "email-taken" };
  return { kind: facts.startsFresh && facts.ownsAddress ? "start-fresh" : "ask", userId };
}

/** Input for the decision about an address that an e-mail link has verified. */
export interface EmailLinkingFacts {
  readonly sameEmail: KnownUser | null;
  /** `allowDangerousEmailAccountLinking` of the e-mail provider. */
  readonly linkByEmail: boolean;
  /**
   * The application declares that an unverified user belongs to the owner of the address (`ownsAddress` of the e-mail
   * provider).
   */
  readonly isVouchedFor: boolean;
  /** Whether nothing but this address could give access to an unverified user, as in an application that only sends e-mails. */
  readonly isOnlyWayIn: boolean;
}

/** What to do with a verified address. */
export type EmailLinkingDecision =
  | { readonly kind: "create" }
  | { readonly kind: "sign-in"; readonly userId: string }
  | { readonly kind: "ask"; readonly userId: string };

/**
 * Decides for a verified e-mail address. The first matching rule applies:
 *
 * 1. No user has the address: a new user is created.
 * 2. The user verified it before, or the application takes responsibility, or nothing else could give access to the user: that
 *    user signs in.
 * 3. It was never verified: the user may have been created by someone else, or by the owner in another way. The owner
 *    decides.
 */
export function decideEmailLinking(facts: EmailLinkingFacts): EmailLinkingDecision {
  const { sameEmail } = facts;
  if (sameEmail === null) return { kind: "create" };
  const userId = sameEmail.id;
  const isOwners = sameEmail.emailVerified || facts.linkByEmail || facts.isVouchedFor || facts.isOnlyWayIn;
  return { kind: isOwners ? "sign-in" : "ask", userId };
}
