import {
  AccountNotLinked,
  decodeBase64url,
  InvalidRequest,
  isSameId,
  type PasskeyCheck,
  type SignInProof,
  type SignInTools,
  type User,
  WebAuthnVerificationError,
} from "@cardea/extend";
import { consumeCeremony, digestOfUser, type PendingCeremony } from "./challenge.ts";
import { decoyMac, isDecoy } from "./decoys.ts";
import { type PasskeyProvider, passkeyProvider } from "./passkey-provider.ts";
import { type ClientData, parseClientData } from "./protocol/client-data.ts";
import {
  type AuthenticationResponse,
  type PasskeyAnswer,
  parsePasskeyAnswer,
  type RegistrationResponse,
} from "./protocol/webauthn-response.ts";
import { callGetUserInfo, findSignedInUser, requestFor, type SignedInUser } from "./provider-hooks.ts";
import { requireRecentSignIn } from "./recent-sign-in.ts";
import { refusal, unusable } from "./refusal.ts";
import { type ResolvedRelyingParty, resolveRelyingParty } from "./relying-party.ts";
import { markUsed } from "./used-challenges.ts";
import { isHandleOf } from "./user-handle.ts";
import { fromStoredId, toStoredId, verifyAssertion, verifyAttestation, verifyUnknown } from "./verify.ts";

/** A response and the passkey operation of this browser that it consumed. */
interface ConsumedCeremony {
  readonly provider: PasskeyProvider;
  readonly clientData: ClientData;
  readonly pending: PendingCeremony;
  readonly relyingParty: ResolvedRelyingParty;
  readonly signedIn: SignedInUser | null;
}

/**
 * Completes passkey registration or authentication (WebAuthn L3 §7.1, §7.2).
 *
 * 1. The response is well-formed; before that, the database is not queried.
 * 2. The pending operation of its challenge is consumed, whatever follows.
 * 3. The session is the same as at the start, or there is still none.
 * 4. The credential is known and belongs to the requested user, and to the user that the handle names; for a registration,
 *    it is not known.
 * 5. The challenge is marked as used in the database, which only one of several processes can do. Client data,
 *    authenticator data and signature are verified.
 *
 * Nothing else is written: the counter or the new credential is stored after `callbacks.signIn` has agreed.
 *
 * @throws InvalidRequest (1), WebAuthnVerificationError (2 to 5), AccountNotLinked, AdapterError, CallbackRouteError.
 */
export async function finishPasskey(body: ReadonlyMap<string, unknown>, t: SignInTools): Promise<SignInProof> {
  const provider = passkeyProvider(t.carrier);
  const answer = parsePasskeyAnswer(body.get("action"), body.get("data"));
  const clientData = answer === null ? null : readClientData(answer);
  if (answer === null || clientData === null) throw new InvalidRequest("The passkey response is malformed.", 400);
  t.redact(clientData.challenge);
  const pending = await consumeCeremony(t, clientData.challenge, answer.ceremony);
  const relyingParty = await resolveRelyingParty(t, provider, requestFor(t, provider, "callback", {}));
  const signedIn = await findSignedInUser(t);
  if (pending.session !== (signedIn?.fingerprint ?? "")) throw refusal(provider, "session");
  if (answer.ceremony === "register" && signedIn !== null) await requireRecentSignIn(t, signedIn);
  const consumed = { provider, clientData, pending, relyingParty, signedIn };
  return answer.ceremony === "register"
    ? identifyNew(t, consumed, answer.data)
    : identifyKnown(t, consumed, answer.data);
}

/** The client data of a response; null if they are malformed. */
export function readClientData({ data }: PasskeyAnswer): ClientData | null {
  const bytes = decodeBase64url(data.response.clientDataJSON);
  return bytes === null ? null : parseClientData(new TextDecoder().decode(bytes));
}

/**
 * In an authentication that accepted the passkeys of any user, the browser learns that no user has this one, and can remove it. The same is
 * said of a signature that is wrong for the stored key, after the same checks: only a stranger sends one, who would otherwise learn which
 * ids exist, the decoys of an address being none.
 */
async function identifyKnown(
  t: SignInTools,
  consumed: ConsumedCeremony,
  data: AuthenticationResponse,
): Promise<SignInProof> {
  const isAny = consumed.pending.user === "";
  // Only discoverable credentials answer such a request, and they have a handle.
  if (isAny && data.response.userHandle === undefined) throw refusal(consumed.provider, "other-person");
  try {
    return await findOwner(t, consumed, data);
  } catch (error) {
    throw isAny && error instanceof WebAuthnVerificationError && UNUSABLE.includes(error.check)
      ? unusable(error)
      : error;
  }
}

const UNUSABLE: readonly PasskeyCheck[] = ["unknown-credential", "other-person", "signature"];

async function findOwner(
  t: SignInTools,
  { provider, clientData, pending, relyingParty, signedIn }: ConsumedCeremony,
  data: AuthenticationResponse,
): Promise<SignInProof> {
  const credentialID = toStoredId(data.id);
  const found = credentialID === null ? null : await t.callAdapter("getAuthenticator", credentialID);
  const stored = found !== null && fromStoredId(found.credentialID) === data.id ? found : null;
  const isAsked = pending.user === "" || (stored !== null && pending.user === (await digestOfUser(t, stored.userId)));
  const { userHandle } = data.response;
  const isTheirs = stored !== null && (await isHandleOf(t, stored.userId, userHandle, pending.user === ""));
  await markUsed(t, provider, clientData.challenge);
  if (stored === null || !isAsked || !isTheirs) {
    await verifyUnknown(t, provider, relyingParty, { clientData, data });
    throw refusal(provider, stored === null ? "unknown-credential" : "other-person");
  }
  const used = await verifyAssertion(t, provider, relyingParty, { clientData, data }, stored);
  const { userId, providerAccountId } = stored;
  const account = { provider: provider.id, providerAccountId };
  const owner = await t.callAdapter("getUserByAccount", account);
  // The account was unlinked, its user was deleted, or it belongs to another provider.
  if (!owner || !isSameId(owner.id, userId)) throw refusal(provider, "unknown-credential");
  const signedInAs = signedIn?.user.id ?? null;
  const { counter, backedUp, userVerified } = used;
  return {
    user: owner,
    account: { ...account, type: "webauthn", userId },
    userVerified,
    details: { ceremony: "authenticate", credentialID: stored.credentialID, signedInAs, counter, backedUp },
  };
}

async function identifyNew(
  t: SignInTools,
  { provider, clientData, pending, relyingParty, signedIn }: ConsumedCeremony,
  data: RegistrationResponse,
): Promise<SignInProof> {
  await markUsed(t, provider, clientData.challenge);
  const { authenticator, userVerified } = await verifyAttestation(t, provider, relyingParty, clientData, {
    data,
    isConditional: pending.isConditional,
  });
  const { credentialID, providerAccountId } = authenticator;
  const isListed = await isDecoy(decoyMac(t, provider), decodeBase64url(data.id) ?? new Uint8Array());
  // A decoy is refused like the id of a user, by the same calls.
  const stored = (await t.callAdapter("getAuthenticator", credentialID)) !== null || isListed;
  const account = { provider: provider.id, providerAccountId };
  const owner = stored ? null : await t.callAdapter("getUserByAccount", account);
  // An account may outlive its authenticator. The credential id is not secret: without the old key no one can take over the
  // account.
  const isTaken = owner ? !isSameId(owner.id, signedIn?.user.id) : stored;
  if (isTaken) throw refusal(provider, "known-credential");
  const user = signedIn?.user ?? (await newUser(t, provider, pending));
  const [addTo, session] = signedIn === null ? [null, ""] : [signedIn.user, signedIn.fingerprint];
  return {
    user,
    account: { ...account, type: "webauthn" },
    userVerified,
    details: { ceremony: "register", authenticator, addTo, session },
  };
}

/** The submitted fields are evaluated again: the address may be in use by now. */
async function newUser(t: SignInTools, provider: PasskeyProvider, pending: PendingCeremony): Promise<User> {
  const request = requestFor(t, provider, "callback", pending.fields);
  const info = await callGetUserInfo(t, provider, request);
  // As for every user: unknown values are null, so that an interrupted sign-up is recognised.
  if (info?.exists === false) return { name: null, image: null, ...info.user };
  throw new AccountNotLinked("The e-mail address already belongs to a user, who can add a passkey while signed in.", {
    cause: { provider: provider.id, reason: "email-taken" },
  });
}
