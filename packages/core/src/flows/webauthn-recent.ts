import type { FlowContext } from "../model/context.ts";
import type { ResolvedWebAuthnProvider } from "../model/resolved-config.ts";
import { readSignIn } from "./csrf.ts";
import type { SignedInPerson } from "./webauthn-person.ts";
import { refusal } from "./webauthn-refusal.ts";

/**
 * Holds somebody who adds a passkey to the provider's `maxSignInAge` (ASVS 7.5.1, safety H232): whoever has got hold of a
 * session must not turn it into a way in of their own.
 *
 * @throws WebAuthnVerificationError (`stale-sign-in`).
 */
export async function requireRecentSignIn(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  { user }: SignedInPerson,
): Promise<void> {
  const { maxSignInAge } = provider;
  if (maxSignInAge === undefined) return;
  const signedInAt = await readSignIn(context, user.id);
  if (signedInAt === null || context.now() - signedInAt > maxSignInAge) throw refusal(provider, "stale-sign-in");
}
