import { isSameId } from "@cardea/core/extend";

/** Input for the decision about a verified passkey. */
export type PasskeyLinkingFacts =
  | {
      readonly ceremony: "authenticate";
      /** The owner of the credential. */
      readonly owner: { readonly id: string };
      readonly signedIn: { readonly userId: string } | null;
    }
  | {
      readonly ceremony: "register";
      /** The signed-in user. The same session requested the passkey, otherwise the challenge would have been rejected. */
      readonly signedIn: { readonly userId: string } | null;
      /** The user with the new user's address; null if there is none, or if no address was submitted. */
      readonly sameEmail: { readonly id: string } | null;
    };

/** What to do with a verified passkey. */
export type PasskeyLinkingDecision =
  | { readonly kind: "sign-in"; readonly userId: string }
  | { readonly kind: "link"; readonly userId: string }
  | { readonly kind: "create" }
  | { readonly kind: "refuse"; readonly reason: "belongs-to-another" | "email-taken" };

/**
 * Decides for a passkey. The first matching rule applies:
 *
 * 1. Authentication while another user is signed in: rejected, as for every account (docs/behaviour.md#sign-in).
 * 2. Authentication: the owner signs in.
 * 3. Registration by a signed-in user: another passkey for that user.
 * 4. Registration with an address that belongs to a user: rejected, because a passkey does not prove an address.
 * 5. Registration: a new user is created.
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
