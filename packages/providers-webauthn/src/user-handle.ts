import type { AdapterUser, RequestTools } from "@cardea/extend";

/**
 * User handles of passkeys, base64url (WebAuthn L3 §5.4.3). A handle that identifies its user starts with a mark. Other handles do
 * not: random ones, of users who were created together with their passkey, and those of Auth.js.
 */

/** Six bytes; the probability that a random handle starts with them is 2^-48. */
const MARK = "userhash";

/**
 * The handle of a user who adds a passkey: the mark and 26 bytes of a hash of the id, which reveals nothing about the user
 * (§14.6.1).
 */
async function handleOf(t: Pick<RequestTools, "digest">, userId: string): Promise<string> {
  return `${MARK}${(await t.digest(`webauthn user ${userId}`)).slice(MARK.length)}`;
}

/**
 * Whether a response may belong to this user (§7.2 step 6).
 *
 * 1. If any passkey was accepted, the response must have a handle: only discoverable credentials can respond, and they return it.
 * 2. If the handle identifies a user, it is this one.
 *
 * @param isAny whether the request accepted the passkeys of any user.
 */
export async function isHandleOf(
  t: Pick<RequestTools, "digest">,
  userId: string,
  handle: string | undefined,
  isAny: boolean,
): Promise<boolean> {
  if (handle === undefined) return !isAny;
  return !handle.startsWith(MARK) || handle === (await handleOf(t, userId));
}

/** The user as authenticators display and store them (WebAuthn L3 §5.4.3). */
export interface UserEntity {
  /** base64url; reveals nothing about the user (§14.6.1). */
  readonly id: string;
  readonly name: string;
  readonly displayName: string;
}

/** A user as their passkeys show them. */
export async function entityOf(t: Pick<RequestTools, "digest">, user: AdapterUser): Promise<UserEntity> {
  const name = user.email || user.name || user.id;
  return { id: await handleOf(t, user.id), name, displayName: user.name || name };
}
