import type { FlowContext } from "../../model/context.ts";
import type { ResolvedWebAuthnProvider } from "../../model/resolved-config.ts";
import { isSignInRecent } from "../../users/recent-sign-in.ts";
import type { SignedInUser } from "./provider-hooks.ts";
import { refusal } from "./refusal.ts";

/**
 * Prevents adding a passkey to a user whose last sign-in is older than `maxSignInAge` (ASVS 7.5.1).
 *
 * @throws WebAuthnVerificationError (`stale-sign-in`).
 */
export async function requireRecentSignIn(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  { user }: SignedInUser,
): Promise<void> {
  if (!(await isSignInRecent(context, user.id))) throw refusal(provider, "stale-sign-in");
}
