import type { SignInTools } from "@cardea/extend";
import type { SignedInUser } from "./provider-hooks.ts";
import { refusal } from "./refusal.ts";

/**
 * Prevents asking the browser for a passkey that would not be added, because an extension requires a proof first.
 *
 * @throws WebAuthnVerificationError (`stale-sign-in`).
 */
export async function requireMayAdd(t: SignInTools, { user }: SignedInUser): Promise<void> {
  if (!(await t.mayAdd(user.id))) throw refusal(t.carrier, "stale-sign-in");
}

/**
 * Prevents adding a passkey to a user whose last sign-in is older than `maxSignInAge` (ASVS 7.5.1).
 *
 * @throws WebAuthnVerificationError (`stale-sign-in`).
 */
export async function requireRecentSignIn(t: SignInTools, { user }: SignedInUser): Promise<void> {
  if (!(await t.isSignInRecent(user.id))) throw refusal(t.carrier, "stale-sign-in");
}
