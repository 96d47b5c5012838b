import type { WebAuthnProvider } from "@cardea/core/providers";
import { type AdapterAuthenticator, InvalidRequest, isSameId, type RequestTools } from "@cardea/extend";
import { CHALLENGE_LIFETIME } from "./challenge-lifetime.ts";
import { toDescriptor } from "./decoys.ts";
import { readClientData } from "./finish.ts";
import type { PasskeyProvider } from "./passkey-provider.ts";
import { randomToken } from "./primitives.ts";
import { parsePasskeyAnswer } from "./protocol/webauthn-response.ts";
import { requestFor } from "./provider-hooks.ts";
import { refusal } from "./refusal.ts";
import { resolveRelyingParty } from "./relying-party.ts";
import { generate } from "./start.ts";
import { consumeHere, keyOf, markUsed } from "./used-challenges.ts";
import { isHandleOf } from "./user-handle.ts";
import { fromStoredId, toStoredId, verifyAssertion } from "./verify.ts";

/**
 * Verifies a known user with one of their passkeys, for extensions that require it after the sign-in: as a second factor, or to
 * confirm an important action.
 */

/** The user and the purpose of a proof. */
export interface PasskeyProofRequest {
  /** The passkey provider of the configuration. */
  readonly provider: WebAuthnProvider;
  /** Id of the user. It must come from verified data, never from the browser. */
  readonly userId: string;
  /** What the user confirms. The challenge is derived from it, so that the proof is valid for nothing else. */
  readonly about?: string;
  /**
   * Alternative to `about`, if the text itself must be provable later: the challenge is the SHA-256 of exactly this text. The text
   * must include a random part.
   */
  readonly text?: string | undefined;
}

/** A challenge for one user. */
export interface PasskeyChallenge {
  /** For `navigator.credentials.get()`, as JSON (WebAuthn L3 §5.1.9). */
  readonly options: Readonly<Record<string, unknown>>;
  /** Encrypted state for {@link verifyPasskey}, which accepts it from the same extension and `requester()`, for fifteen minutes. */
  readonly state: string;
}

/** An accepted proof. */
export interface PasskeyProof {
  /** Id of the passkey as stored in the database (base64): `credentialID` of its authenticator. */
  readonly credentialID: string;
  /** Whether the authenticator verified the user, by PIN or biometrics; false if only its possession was proven. */
  readonly userVerified: boolean;
}

const USE = "passkey challenge";

/**
 * Creates a challenge that only this user's passkeys can answer, in the session or pending sign-in of the request. Writes nothing.
 *
 * @returns null if the user has no passkey.
 * @throws WebAuthnVerificationError (`relying-party`), AdapterError, CallbackRouteError.
 */
export async function challengePasskey(
  t: RequestTools,
  { provider: source, userId, about, text }: PasskeyProofRequest,
): Promise<PasskeyChallenge | null> {
  const provider = { id: source.id, source };
  const relyingParty = await relyingPartyOf(t, provider);
  const stored = await t.callAdapter("listAuthenticatorsByUserId", userId);
  const owned = await Promise.all(stored.map((one) => isLinked(t, source, userId, one)));
  const allowCredentials = stored
    .filter((_, n) => owned[n])
    .map(toDescriptor)
    .filter((one) => one !== null);
  if (allowCredentials.length === 0) return null;
  const nonce = randomToken();
  const made = await generate(provider, "generateAuthenticationOptions", {
    ...source.authenticationOptions,
    rpID: relyingParty.id,
    allowCredentials: [],
  });
  const challenge = await challengeOf(t, nonce, { about, text });
  const requester = (await t.requester()) ?? "";
  const state = await t.seal(
    { nonce, provider: source.id, userId: String(userId), requester },
    USE,
    CHALLENGE_LIFETIME,
  );
  return { options: { ...made, challenge, rpId: relyingParty.id, allowCredentials }, state };
}

/**
 * Verifies the response to a challenge (WebAuthn L3 §7.2).
 *
 * 1. The response is well-formed, and the challenge was created for this user, provider and subject at most fifteen minutes ago, in this
 *    session or pending sign-in. A visitor proves nothing.
 * 2. The challenge was not used before, in this process or another one.
 * 3. The credential belongs to the user, and so does its account.
 * 4. Client data, authenticator data and signature are valid; the counter is stored.
 *
 * @param answer the result of `navigator.credentials.get()`, as JSON text or an object.
 * @throws InvalidRequest, WebAuthnVerificationError, AdapterError.
 */
export async function verifyPasskey(
  t: RequestTools,
  { provider: source, userId, about, text }: PasskeyProofRequest,
  state: string,
  answer: unknown,
): Promise<PasskeyProof> {
  const provider = { id: source.id, source };
  const parsed = parsePasskeyAnswer("authenticate", answer);
  const clientData = parsed === null ? null : readClientData(parsed);
  if (parsed?.ceremony !== "authenticate" || clientData === null)
    throw new InvalidRequest("The passkey response is malformed.", 400);
  const { nonce = "", ...of } = (await t.open(state, USE)) ?? {};
  const isMine = of.provider === source.id && of.userId === String(userId) && of.requester === (await t.requester());
  if (!isMine || clientData.challenge !== (await challengeOf(t, nonce, { about, text })))
    throw refusal(provider, "challenge");
  if (!consumeHere(t, await keyOf(provider, clientData.challenge))) throw refusal(provider, "replay");
  const credentialID = toStoredId(parsed.data.id);
  const stored = credentialID === null ? null : await t.callAdapter("getAuthenticator", credentialID);
  if (!stored || fromStoredId(stored.credentialID) !== parsed.data.id) throw refusal(provider, "unknown-credential");
  const isTheirs = await isHandleOf(t, userId, parsed.data.response.userHandle, false);
  if (!isSameId(stored.userId, userId) || !isTheirs) throw refusal(provider, "other-person");
  await markUsed(t, provider, clientData.challenge);
  const relyingParty = await relyingPartyOf(t, provider);
  const given = { clientData, data: parsed.data };
  const { counter, backedUp, userVerified } = await verifyAssertion(t, provider, relyingParty, given, stored);
  if (!(await isLinked(t, source, userId, stored))) throw refusal(provider, "unknown-credential");
  const { credentialID: id } = stored;
  await t.callAdapter("updateAuthenticatorCounter", id, counter);
  const use = { credentialBackedUp: backedUp, usedAt: new Date(t.now() * 1000) };
  if (t.adapterHas("updateAuthenticator")) await t.callAdapter("updateAuthenticator", { credentialID: id, ...use });
  return { credentialID: id, userVerified };
}

/** The challenge includes what is confirmed, so that the response is valid for nothing else. */
function challengeOf(
  t: RequestTools,
  nonce: string,
  { about = "", text }: { readonly about?: string | undefined; readonly text?: string | undefined },
): Promise<string> {
  return t.digest(text ?? `passkey challenge ${nonce} ${about}`);
}

function relyingPartyOf(t: RequestTools, provider: PasskeyProvider) {
  return resolveRelyingParty(t, provider, requestFor(t, provider, "callback", {}));
}

/** Whether the user can sign in with a passkey: its account may have been unlinked, or belong to another provider. */
async function isLinked(
  t: RequestTools,
  { id: provider }: WebAuthnProvider,
  userId: string,
  { userId: owner, providerAccountId }: AdapterAuthenticator,
): Promise<boolean> {
  if (!isSameId(owner, userId)) return false;
  const user = await t.callAdapter("getUserByAccount", { provider, providerAccountId });
  return user !== null && isSameId(user.id, userId);
}
