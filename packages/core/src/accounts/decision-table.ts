/**
 * To whom an identity belongs: the policy, without a database (docs/behaviour.md#sign-in). One table for all sign-in methods.
 */

/** What the decision depends on. */
export interface Facts {
  /** What was proven: an account at a provider, a passkey, an e-mail address, or a user of the application (credentials). */
  readonly proof: "account" | "passkey" | "address" | "user";
  /** Whose it already is. `another`: a user other than the one who is signed in. */
  readonly owner: "known" | "another" | "none";
  /** Whether the session of this request started the sign-in. If it is newer, or another user's, it is as if no one were signed in. */
  readonly isAsked: boolean;
  /**
   * Whether that session began it on the built-in sign-in page, and its user did not say yet whether an account that is not theirs is to be
   * added to them, or is another user's.
   */
  readonly isOpen: boolean;
  /** The user who has the address of the identity, by whether they ever verified it. `none` also for an identity without an address. */
  readonly holder: "verified" | "unverified" | "none";
  /**
   * Whether someone takes responsibility for giving the identity to that user: of an account, the option
   * `allowDangerousEmailAccountLinking` of a provider that does not call the address unverified; of an address, the same option, the
   * application's `ownsAddress`, or that nothing else could give access to the user.
   */
  readonly isTrusted: boolean;
  /** Whether the address was just proven, by a link or a provider that vouches for it, and its owner can be asked. */
  readonly canAsk: boolean;
  /** Whether its owner was asked and wants a new user, and the proof suffices to take the address away. */
  readonly startsFresh: boolean;
}

/** What to do with an identity; the last three reject it. */
export type DecisionOutcome = "sign-in" | "link" | "create" | "start-fresh" | "ask" | "ask-whose" | Refusal;

type Refusal = "belongs-to-another" | "unknown-user" | "email-taken";

type DecisionRow = Partial<Facts> & { readonly outcome: DecisionOutcome };

/**
 * The first row whose facts all hold applies:
 *
 * 1. It belongs to a user other than the signed-in one: rejected, or after the built-in page, the user is asked.
 * 2. It belongs to a user: they sign in.
 * 3. Credentials never create a user.
 * 4. The signed-in user started this sign-in in this session: it is linked to them, whatever its address. On the built-in page they may be
 *    another user of the same browser, and decide first.
 * 5. No user has the address: a new user is created.
 * 6. A proven address signs in the user who verified it before.
 * 7. An account is linked to the user who verified the address if both sides proved it and the provider is trusted. Otherwise an
 *    unverified address would give access to someone else's account.
 * 8. A user who never verified the address may be its owner, or may have been created by someone else. The owner may have a new user:
 *    after a link, or if the provider is the authority for the address. One that vouches carelessly must not take addresses away.
 * 9. A proven address signs in such a user if someone takes responsibility for it.
 * 10. Otherwise the owner of the address decides.
 * 11. Rejected: a passkey proves no address, nor does an account whose provider does not vouch for it.
 */
const TABLE: readonly DecisionRow[] = [
  { owner: "another", isOpen: true, outcome: "ask-whose" },
  { owner: "another", outcome: "belongs-to-another" },
  { owner: "known", outcome: "sign-in" },
  { proof: "user", outcome: "unknown-user" },
  { isAsked: true, isOpen: true, outcome: "ask-whose" },
  { isAsked: true, outcome: "link" },
  { holder: "none", outcome: "create" },
  { proof: "address", holder: "verified", outcome: "sign-in" },
  { proof: "account", holder: "verified", isTrusted: true, outcome: "link" },
  { holder: "unverified", canAsk: true, startsFresh: true, outcome: "start-fresh" },
  { proof: "address", holder: "unverified", isTrusted: true, outcome: "sign-in" },
  { holder: "unverified", canAsk: true, outcome: "ask" },
  { outcome: "email-taken" },
];

/** Decides what to do with an identity. */
export function decideLinking(facts: Facts): DecisionOutcome {
  const holds = ({ outcome: _, ...row }: DecisionRow) =>
    Object.entries(row).every(([name, value]) => Reflect.get(facts, name) === value);
  return TABLE.find(holds)?.outcome ?? "email-taken";
}
