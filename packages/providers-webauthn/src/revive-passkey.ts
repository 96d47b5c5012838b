import { isSameId, type KnownPasskey, type SignInProof, type SignInTools } from "@cardea/extend";
import { isCounterBehind } from "./protocol/credential-record.ts";

/**
 * Restores a passkey after its sign-in waited for another proof; null if the passkey was removed in the meantime.
 *
 * @throws AdapterError.
 */
export async function revivePasskey(proof: SignInProof, t: SignInTools): Promise<SignInProof | null> {
  const { details } = proof;
  if (details.ceremony === "authenticate") return reviveKnown(t, proof, details);
  if (details.addTo === null) return proof;
  const addTo = await t.callAdapter("getUser", details.addTo.id);
  return addTo && { ...proof, details: { ...details, addTo } };
}

/**
 * The counter of a device-bound passkey must still be greater than the stored one, because the passkey may have been used again
 * (WebAuthn L3 §7.2 step 22).
 */
async function reviveKnown(
  t: SignInTools,
  proof: SignInProof,
  { credentialID, counter }: KnownPasskey,
): Promise<SignInProof | null> {
  const stored = await t.callAdapter("getAuthenticator", credentialID);
  const { provider, providerAccountId } = proof.account;
  const user = await t.callAdapter("getUserByAccount", { provider, providerAccountId });
  if (stored === null || user === null || !isSameId(stored.userId, user.id)) return null;
  const isUsed = stored.credentialDeviceType !== "multiDevice" && isCounterBehind({ counter }, stored);
  return isUsed ? null : { ...proof, user };
}
