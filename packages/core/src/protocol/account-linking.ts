import { isSameId } from "./same-id.ts";

/** Who an identity at a provider belongs to: the policy, without a database (docs/behaviour.md#sign-in). */

/** A user, as far as the decision needs to know. */
export interface KnownUser {
  readonly id: string;
  /** Whether their e-mail address was ever proven to be theirs. */
  readonly emailVerified: boolean;
}

/** What is known when an OAuth sign-in comes back. */
export interface OAuthLinkingFacts {
  /** The user who already has this account. */
  readonly owner: KnownUser | null;
  /** Who is signed in now, and whether this very session began the sign-in. */
  readonly signedIn: { readonly userId: string; readonly startedHere: boolean } | null;
  /** The user with the identity's e-mail address; null as well when the identity has none. */
  readonly sameEmail: KnownUser | null;
  /** `allowDangerousEmailAccountLinking` of the provider. */
  readonly linkByEmail: boolean;
  /** What the provider says of the address: verified, not verified, or it has no claim for it. */
  readonly emailClaim: "verified" | "unverified" | "none";
}

/** What to do with an OAuth identity. */
export type OAuthLinkingDecision =
  | { readonly kind: "sign-in"; readonly userId: string }
  | { readonly kind: "link"; readonly userId: string }
  | { readonly kind: "create" }
  | { readonly kind: "refuse"; readonly reason: "belongs-to-another" | "email-taken" };

/**
 * Decides for an OAuth or OpenID Connect identity. First row that fits:
 *
 * 1. The account is somebody's and somebody else is signed in: refused.
 * 2. The account is somebody's: they sign in.
 * 3. Somebody is signed in and began this sign-in in this session: linked to them. Signed in since, or as somebody else:
 *    as if nobody were.
 * 4. The e-mail address is nobody's: a new user.
 * 5. Linking by e-mail is allowed, the provider vouches for the address where it has a claim for it, and the user's own
 *    address was proven: linked. Otherwise an unproven address would open somebody's account.
 * 6. Refused.
 */
export function decideOAuthLinking(facts: OAuthLinkingFacts): OAuthLinkingDecision {
  const { owner, signedIn, sameEmail } = facts;
  if (owner !== null && signedIn !== null && !isSameId(signedIn.userId, owner.id)) {
    return { kind: "refuse", reason: "belongs-to-another" };
  }
  if (owner !== null) return { kind: "sign-in", userId: owner.id };
  if (signedIn?.startedHere === true) return { kind: "link", userId: signedIn.userId };
  if (sameEmail === null) return { kind: "create" };
  const vouched = facts.linkByEmail && facts.emailClaim !== "unverified" && sameEmail.emailVerified;
  return vouched ? { kind: "link", userId: sameEmail.id } : { kind: "refuse", reason: "email-taken" };
}

/** What is known when an address has been proven by a link in an e-mail. */
export interface EmailLinkingFacts {
  readonly sameEmail: KnownUser | null;
  /** `allowDangerousEmailAccountLinking` of the e-mail provider. */
  readonly linkByEmail: boolean;
  /** The application states that an unproven user is the owner's (`ownsAddress` of the e-mail provider). */
  readonly isVouchedFor: boolean;
  /** Whether anything but this address could lead to an unproven user; false only where that is known for certain. */
  readonly mayHaveOtherWaysIn: boolean;
}

/** What to do with a proven address. */
export type EmailLinkingDecision =
  | { readonly kind: "create" }
  | { readonly kind: "sign-in"; readonly userId: string }
  | { readonly kind: "hand-over"; readonly userId: string }
  | { readonly kind: "ask"; readonly userId: string };

/**
 * Decides for a proven e-mail address. First row that fits:
 *
 * 1. No user has the address: a new user.
 * 2. It was proven before, or the application takes responsibility: that user signs in.
 * 3. It was never proven, and certainly nothing else leads to the user (an invited user): the user is handed over.
 * 4. It was never proven: the user may have been created by someone else, or by the owner in another way. The owner decides.
 */
export function decideEmailLinking(facts: EmailLinkingFacts): EmailLinkingDecision {
  const { sameEmail } = facts;
  if (sameEmail === null) return { kind: "create" };
  const userId = sameEmail.id;
  if (sameEmail.emailVerified || facts.linkByEmail || facts.isVouchedFor) return { kind: "sign-in", userId };
  return { kind: facts.mayHaveOtherWaysIn ? "ask" : "hand-over", userId };
}

/** What is known when a passkey has been verified. */
export type PasskeyLinkingFacts =
  | {
      readonly ceremony: "authenticate";
      /** Whose the credential is. */
      readonly owner: { readonly id: string };
      readonly signedIn: { readonly userId: string } | null;
    }
  | {
      readonly ceremony: "register";
      /** Who is signed in; the same session began the ceremony, or the challenge would not have been taken. */
      readonly signedIn: { readonly userId: string } | null;
      /** The user with the address of the new person; null as well when they gave none. */
      readonly sameEmail: { readonly id: string } | null;
    };

/** What to do with a verified passkey. */
export type PasskeyLinkingDecision =
  | { readonly kind: "sign-in"; readonly userId: string }
  | { readonly kind: "link"; readonly userId: string }
  | { readonly kind: "create" }
  | { readonly kind: "refuse"; readonly reason: "belongs-to-another" | "email-taken" };

/**
 * Decides for a passkey. First row that fits:
 *
 * 1. Authentication while somebody else is signed in: refused, as for every account (docs/behaviour.md#sign-in).
 * 2. Authentication: they sign in.
 * 3. Registration by somebody who is signed in: a further passkey of theirs.
 * 4. Registration with an address that is somebody's: refused; a passkey proves no address.
 * 5. Registration: a new user.
 */
export function decidePasskeyLinking(facts: PasskeyLinkingFacts): PasskeyLinkingDecision {
  if (facts.ceremony === "authenticate") {
    const { owner, signedIn } = facts;
    const isOther = signedIn !== null && !isSameId(signedIn.userId, owner.id);
    return isOther ? { kind: "refuse", reason: "belongs-to-another" } : { kind: "sign-in", userId: owner.id };
  }
  if (facts.signedIn !== null) return { kind: "link", userId: facts.signedIn.userId };
  return facts.sameEmail === null ? { kind: "create" } : { kind: "refuse", reason: "email-taken" };
}
