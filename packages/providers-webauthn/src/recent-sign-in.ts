import type { SignInTools } from "@cardea/core/extend";
import type { SignedInUser } from "./provider-hooks.ts";
import { refusal } from "./refusal.ts";

/**
 * Prevents adding a passkey to a user whose last sign-in is older than `maxSignInAge` (ASVS 7.5.1).
 *
 * @throws WebAuthnVerificationError (`stale-sign-in`).
 */
export async function requireRecentSignIn(t: SignInTools, { user }: SignedInUser): Promise<void> {
  if (!(await t.isSignInRecent(user.id))) throw refusal(t.carrier, "stale-sign-in");
}
