import {
  AccountNotLinked,
  type AccountTools,
  type AdapterUser,
  isSameId,
  type SignedInUser,
  type SignInDecision,
  type SignInProof,
  type SignInTools,
} from "@cardea/core/extend";
import { createUserWithPasskey, linkPasskey } from "./link-passkey.ts";
import { isCounterBehind } from "./protocol/credential-record.ts";
import { decidePasskeyLinking, type PasskeyLinkingDecision } from "./protocol/passkey-linking.ts";
import { fromProof, type KnownPasskey, type NewPasskey, type ProvenPasskey, toProof } from "./proven-passkey.ts";

/** The user that a passkey belongs to, or that it would be added to. */
export async function findPasskeyUser(proof: SignInProof): Promise<AdapterUser | null> {
  const passkey = fromProof(proof);
  return passkey.ceremony === "authenticate" ? passkey.user : passkey.addTo;
}

/**
 * Decides which user a verified passkey belongs to.
 *
 * @throws AccountNotLinked if the policy denies it; AdapterError.
 */
export async function decidePasskeyUser(proof: SignInProof, t: SignInTools): Promise<SignInDecision> {
  const passkey = fromProof(proof);
  return passkey.ceremony === "register" ? decideRegistration(t, passkey) : decideAuthentication(t, passkey);
}

/**
 * Restores a passkey after its sign-in waited for another proof; null if the passkey was removed in the meantime.
 *
 * @throws AdapterError.
 */
export async function revivePasskey(proof: SignInProof, t: SignInTools): Promise<SignInProof | null> {
  const passkey = fromProof(proof);
  if (passkey.ceremony === "authenticate") return reviveKnown(t, passkey);
  if (passkey.addTo === null) return proof;
  const addTo = await t.callAdapter("getUser", passkey.addTo.id);
  return addTo && toProof({ ...passkey, addTo });
}

/**
 * The counter of a device-bound passkey must still be greater than the stored one, because the passkey may have been used again
 * (WebAuthn L3 §7.2 step 22).
 */
async function reviveKnown(t: SignInTools, passkey: KnownPasskey): Promise<SignInProof | null> {
  const { credentialID, account, counter } = passkey;
  const stored = await t.callAdapter("getAuthenticator", credentialID);
  const { provider, providerAccountId } = account;
  const user = await t.callAdapter("getUserByAccount", { provider, providerAccountId });
  if (stored === null || user === null || !isSameId(stored.userId, user.id)) return null;
  const isUsed = stored.credentialDeviceType !== "multiDevice" && isCounterBehind({ counter }, stored);
  return isUsed ? null : toProof({ ...passkey, user });
}

/**
 * Decides who signs in. The counter is stored last: a denied sign-in must not increase it, and if it cannot be stored, no session
 * is issued (WebAuthn L3 §7.2 step 25).
 *
 * @throws AccountNotLinked if the policy denies it; AdapterError.
 */
async function decideAuthentication(t: SignInTools, passkey: KnownPasskey): Promise<SignInDecision> {
  const { user: owner, signedInAs } = passkey;
  const signedIn = signedInAs === null ? null : { userId: signedInAs };
  const decision = decidePasskeyLinking({ ceremony: "authenticate", owner, signedIn });
  if (decision.kind !== "sign-in") throw refused(passkey, decision);
  return { kind: "existing", user: owner, write: () => storeCounter(t, passkey) };
}

async function storeCounter(t: SignInTools, { user, credentialID, counter }: KnownPasskey): Promise<SignedInUser> {
  await t.callAdapter("updateAuthenticatorCounter", credentialID, counter);
  return { user, isNewUser: false };
}

async function decideRegistration(t: SignInTools, passkey: NewPasskey): Promise<SignInDecision> {
  const { addTo, session, user } = passkey;
  const { email } = user;
  const sameEmail = addTo === null && email ? await t.findUserByAddress(email) : null;
  const signedIn = addTo === null ? null : { userId: addTo.id };
  const decision = decidePasskeyLinking({ ceremony: "register", signedIn, sameEmail });
  if (decision.kind === "link" && addTo !== null) {
    const write = async (accounts: AccountTools) => {
      const linked = await linkPasskey(t, accounts, passkey, { user: addTo, session });
      return { ...linked, added: true };
    };
    return { kind: "existing", user: addTo, adds: true, write };
  }
  if (decision.kind === "create")
    return { kind: "new", write: (accounts) => createUserWithPasskey(t, accounts, passkey) };
  throw refused(passkey, decision);
}

function refused({ account }: ProvenPasskey, decision: PasskeyLinkingDecision): AccountNotLinked {
  const reason = decision.kind === "refuse" ? decision.reason : decision.kind;
  const message =
    reason === "email-taken"
      ? "The e-mail address already belongs to a user, who can add a passkey while signed in."
      : "The passkey belongs to a user other than the signed-in one.";
  return new AccountNotLinked(message, { cause: { provider: account.provider, reason } });
}
