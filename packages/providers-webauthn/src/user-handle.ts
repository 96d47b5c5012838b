import type { RequestTools } from "@cardea/core/extend";

/**
 * User handles of passkeys, base64url (WebAuthn L3 §5.4.3). A handle that names its user begins with a mark. Other handles name
 * no one: random ones of users who were created together with their passkey, and those made by Auth.js.
 */

/** Six bytes that a random handle begins with once in 2^48 times. */
const MARK = "userhash";

/**
 * The handle of a user who adds a passkey: the mark and 26 bytes of a hash of the id, which reveals nothing about the user
 * (§14.6.1).
 */
export async function handleOf(t: Pick<RequestTools, "digest">, userId: string): Promise<string> {
  return `${MARK}${(await t.digest(`webauthn user ${userId}`)).slice(MARK.length)}`;
}

/**
 * Whether a response may be of this user (§7.2 step 6).
 *
 * 1. If any passkey was accepted, the response has a handle: only discoverable credentials can answer, and they return it.
 * 2. A handle that names a user names this one.
 *
 * @param isAny whether the request named no user.
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
