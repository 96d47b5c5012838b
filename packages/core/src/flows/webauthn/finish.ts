import { callAdapter } from "../../application/call-adapter.ts";
import { originalRequest } from "../../context/original-request.ts";
import { decodeBase64url } from "../../crypto/base64url.ts";
import type { ActionContext, FlowContext, ParsedRequest } from "../../model/context.ts";
import { AccessDenied, AccountNotLinked, InvalidRequest } from "../../model/errors.ts";
import type { User } from "../../model/records.ts";
import type { ResolvedWebAuthnProvider } from "../../model/resolved-config.ts";
import { type ClientData, parseClientData } from "../../protocol/client-data.ts";
import { isSameId } from "../../protocol/same-id.ts";
import {
  type AuthenticationResponse,
  type PasskeyAnswer,
  parsePasskeyAnswer,
  type RegistrationResponse,
} from "../../protocol/webauthn-response.ts";
import type { KnownPasskeyIdentity, NewPasskeyIdentity, PasskeyIdentity } from "../../users/identity.ts";
import { proveOnce, refuseAttempt } from "../allow-attempt.ts";
import { resolveCallbackUrl } from "../redirect.ts";
import type { Finished } from "../way.ts";
import { consumeCeremony, digestOfUser, type PendingCeremony } from "./challenge.ts";
import { callGetUserInfo, findSignedInUser, requestFor, type SignedInUser } from "./provider-hooks.ts";
import { requireRecentSignIn } from "./recent.ts";
import { refusal } from "./refusal.ts";
import { type ResolvedRelyingParty, resolveRelyingParty } from "./relying-party.ts";
import { markUsed } from "./used-challenges.ts";
import { fromStoredId, toStoredId, verifyAssertion, verifyAttestation } from "./verify.ts";

/** A response and the passkey operation of this browser that it consumed. */
interface ConsumedCeremony {
  readonly provider: ResolvedWebAuthnProvider;
  readonly clientData: ClientData;
  readonly pending: PendingCeremony;
  readonly relyingParty: ResolvedRelyingParty;
  readonly signedIn: SignedInUser | null;
  readonly headers: Headers;
}

/**
 * Completes passkey registration or authentication (WebAuthn L3 §7.1, §7.2).
 *
 * 1. The response is well-formed; before that, the database is not queried.
 * 2. The pending operation of its challenge is consumed, whatever follows.
 * 3. The session is the same as at the start, or there is still none.
 * 4. The credential is known and belongs to the requested user; for a registration, it is not known.
 * 5. The challenge is marked as used in the database, which only one of several processes can do. Client data,
 *    authenticator data and signature are verified.
 *
 * Nothing else is written: the counter or the new credential is stored after `callbacks.signIn` has agreed.
 *
 * @throws InvalidRequest (1), WebAuthnVerificationError (2 to 5), AccountNotLinked, AdapterError, CallbackRouteError.
 */
export async function finishWebAuthn(
  context: ActionContext,
  provider: ResolvedWebAuthnProvider,
): Promise<Finished<PasskeyIdentity>> {
  const { request } = context;
  const callbackUrl = await resolveCallbackUrl(context);
  const attempt = { provider: provider.id, type: "webauthn", request: originalRequest(request) } as const;
  const refused = await refuseAttempt(context, attempt);
  if (refused !== null) throw new AccessDenied("Too many attempts.", { cause: { ...refused } });
  const identity = await proveOnce(context, () => verifyPasskey(context, provider, request));
  return { kind: "proven", identity, callbackUrl };
}

async function verifyPasskey(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  { body, headers }: ParsedRequest,
): Promise<PasskeyIdentity> {
  const answer = parsePasskeyAnswer(body.get("action"), body.get("data"));
  const clientData = answer === null ? null : readClientData(answer);
  if (answer === null || clientData === null) throw new InvalidRequest("The passkey response is malformed.", 400);
  context.redact(clientData.challenge);
  const pending = await consumeCeremony(context, provider, clientData.challenge, answer.ceremony);
  const relyingParty = await resolveRelyingParty(
    context,
    provider,
    requestFor(context, provider, "callback", {}, headers),
  );
  const signedIn = await findSignedInUser(context);
  if (pending.session !== (signedIn?.fingerprint ?? "")) throw refusal(provider, "session");
  if (answer.ceremony === "register" && signedIn !== null) await requireRecentSignIn(context, provider, signedIn);
  const consumed = { provider, clientData, pending, relyingParty, signedIn, headers };
  return answer.ceremony === "register"
    ? identifyNew(context, consumed, answer.data)
    : identifyKnown(context, consumed, answer.data);
}

function readClientData({ data }: PasskeyAnswer): ClientData | null {
  const bytes = decodeBase64url(data.response.clientDataJSON);
  return bytes === null ? null : parseClientData(new TextDecoder().decode(bytes));
}

async function identifyKnown(
  context: FlowContext,
  { provider, clientData, pending, relyingParty, signedIn }: ConsumedCeremony,
  data: AuthenticationResponse,
): Promise<KnownPasskeyIdentity> {
  const credentialID = toStoredId(data.id);
  const stored = credentialID === null ? null : await callAdapter(context.config, "getAuthenticator", credentialID);
  if (!stored || credentialID === null || fromStoredId(stored.credentialID) !== data.id) {
    throw refusal(provider, "unknown-credential");
  }
  const isAsked = pending.user === "" || pending.user === (await digestOfUser(stored.userId));
  if (!isAsked) throw refusal(provider, "other-person");
  await markUsed(context, provider, clientData.challenge);
  const counter = await verifyAssertion(provider, relyingParty, clientData, data, stored);
  const { userId, providerAccountId } = stored;
  const account = { provider: provider.id, providerAccountId };
  const owner = await callAdapter(context.config, "getUserByAccount", account);
  // The account was unlinked, its user was deleted, or it belongs to another provider.
  if (!owner || !isSameId(owner.id, userId)) throw refusal(provider, "unknown-credential");
  const signedInAs = signedIn?.user.id ?? null;
  return {
    kind: "webauthn",
    ceremony: "authenticate",
    user: owner,
    account: { ...account, type: "webauthn", userId },
    credentialID: stored.credentialID,
    signedInAs,
    counter,
  };
}

async function identifyNew(
  context: FlowContext,
  { provider, clientData, pending, relyingParty, signedIn, headers }: ConsumedCeremony,
  data: RegistrationResponse,
): Promise<NewPasskeyIdentity> {
  await markUsed(context, provider, clientData.challenge);
  const authenticator = await verifyAttestation(provider, relyingParty, clientData, data);
  const { credentialID } = authenticator;
  const stored = await callAdapter(context.config, "getAuthenticator", credentialID);
  const account = { provider: provider.id, providerAccountId: credentialID };
  const owner = stored ? null : await callAdapter(context.config, "getUserByAccount", account);
  // An account may outlive its authenticator. The credential id is not secret: without the old key no one can take over the
  // account.
  const isTaken = owner ? !isSameId(owner.id, signedIn?.user.id) : Boolean(stored);
  if (isTaken) throw refusal(provider, "known-credential");
  const user = signedIn?.user ?? (await newUser(context, provider, pending, headers));
  return {
    kind: "webauthn",
    ceremony: "register",
    user,
    account: { ...account, type: "webauthn" },
    authenticator,
    addTo: signedIn?.user ?? null,
    session: signedIn?.fingerprint ?? "",
  };
}

/** The submitted fields are evaluated again: the address may be in use by now. */
async function newUser(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  pending: PendingCeremony,
  headers: Headers,
): Promise<User> {
  const request = requestFor(context, provider, "callback", pending.fields, headers);
  const info = await callGetUserInfo(context, provider, request);
  // As for every user: unknown values are null, so that an interrupted sign-up is recognised.
  if (info?.exists === false) return { name: null, image: null, ...info.user };
  throw new AccountNotLinked("The e-mail address already belongs to a user, who can add a passkey while signed in.", {
    cause: { provider: provider.id, reason: "email-taken" },
  });
}
