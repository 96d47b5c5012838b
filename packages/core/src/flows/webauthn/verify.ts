import { decodeBase64, encodeBase64 } from "../crypto/base64.ts";
import { decodeBase64url, encodeBase64url } from "../crypto/base64url.ts";
import type { AdapterAuthenticator } from "../model/adapter.ts";
import type { PasskeyCheck } from "../model/error-types.ts";
import type { Authenticator } from "../model/records.ts";
import type { ResolvedWebAuthnProvider } from "../model/resolved-config.ts";
import { toError } from "../model/to-error.ts";
import type { SimpleWebAuthn } from "../model/webauthn-provider.ts";
import { judgeAuthenticatorData, parseAuthenticatorData } from "../protocol/authenticator-data.ts";
import { type ClientData, judgeClientData } from "../protocol/client-data.ts";
import type { AuthenticationResponse, RegistrationResponse } from "../protocol/webauthn-response.ts";
import type { Party } from "./webauthn-party.ts";
import { refusal } from "./webauthn-refusal.ts";

/**
 * Judging an answer: first by ourselves, so that the log says what does not hold whichever version of the library the provider
 * brings, then by the library, which verifies signature and attestation and judges all of it once more.
 */

/** What applications set among the library's options and we have to know, too. */
interface VerifyOptions {
  readonly requireUserVerification: boolean;
  readonly types: readonly string[];
  readonly allowCrossOrigin: boolean;
}

/** A credential id as it is stored; null for what is none. */
export function toStoredId(id: string): string | null {
  const bytes = decodeBase64url(id);
  return bytes === null ? null : encodeBase64(bytes);
}

/** A stored credential id as browsers have it. */
export function fromStoredId(stored: string): string | null {
  const bytes = decodeBase64(stored);
  return bytes === null ? null : encodeBase64url(bytes);
}

/**
 * Verifies an assertion (WebAuthn L3 §7.2).
 *
 * @returns what the authenticator's counter says now.
 * @throws WebAuthnVerificationError.
 */
export async function verifyAssertion(
  provider: ResolvedWebAuthnProvider,
  party: Party,
  clientData: ClientData,
  data: AuthenticationResponse,
  stored: AdapterAuthenticator,
): Promise<number> {
  const { verifyAuthenticationOptions = {} } = provider.source;
  const { requireUserVerification, ...expected } = readOptions(verifyAuthenticationOptions, "webauthn.get");
  const bytes = decodeBase64url(data.response.authenticatorData);
  const given = bytes === null ? null : parseAuthenticatorData(bytes);
  const publicKey = decodeBase64(stored.credentialPublicKey);
  if (given === null || publicKey === null) throw refusal(provider, "signature");
  const rpIdHashes = await Promise.all(party.ids.map(hashOf));
  const problem =
    judgeClientData(clientData, { ...expected, origins: party.origins }) ??
    judgeAuthenticatorData(given, { rpIdHashes, requireUserVerification, counter: stored.counter });
  if (problem !== null) throw refusal(provider, problem);
  const transports = (stored.transports ?? "").split(",").filter((one) => one !== "");
  const { counter } = stored;
  const credentialID = decodeBase64url(data.id);
  await verify(provider, "verifyAuthenticationResponse", "signature", {
    ...verifyAuthenticationOptions,
    ...expectationsOf(party, clientData),
    response: data,
    credential: { id: data.id, publicKey, counter, transports },
    // The same for version 10 and before.
    authenticator: { credentialID, credentialPublicKey: publicKey, counter, transports },
  });
  return given.counter;
}

/**
 * Verifies a new credential (WebAuthn L3 §7.1).
 *
 * @returns what is stored of it.
 * @throws WebAuthnVerificationError.
 */
export async function verifyAttestation(
  provider: ResolvedWebAuthnProvider,
  party: Party,
  clientData: ClientData,
  data: RegistrationResponse,
): Promise<Omit<Authenticator, "userId">> {
  const { verifyRegistrationOptions = {} } = provider.source;
  const { requireUserVerification, ...expected } = readOptions(verifyRegistrationOptions, "webauthn.create");
  const problem = judgeClientData(clientData, { ...expected, origins: party.origins });
  if (problem !== null) throw refusal(provider, problem);
  const result = await verify(provider, "verifyRegistrationResponse", "attestation", {
    ...verifyRegistrationOptions,
    ...expectationsOf(party, clientData),
    response: data,
  });
  const info = parseRegistrationInfo(result.registrationInfo);
  if (info === null || info.id !== data.id) throw refusal(provider, "attestation");
  if (requireUserVerification && !info.userVerified) throw refusal(provider, "user-verification");
  const credentialID = toStoredId(info.id) ?? "";
  return {
    credentialID,
    providerAccountId: credentialID,
    credentialPublicKey: encodeBase64(info.publicKey),
    counter: info.counter,
    credentialDeviceType: info.deviceType,
    credentialBackedUp: info.backedUp,
    transports: data.response.transports.length === 0 ? null : data.response.transports.join(","),
  };
}

function expectationsOf(party: Party, { challenge }: ClientData) {
  // Not what we expect but what was answered: that it is ours was shown when its ceremony was taken.
  return { expectedChallenge: challenge, expectedOrigin: [...party.origins], expectedRPID: [...party.ids] };
}

function readOptions(options: object, type: string): VerifyOptions {
  const { requireUserVerification, expectedType, expectedTopOrigin } = Object(options);
  const types: readonly unknown[] = Array.isArray(expectedType) ? expectedType : [expectedType ?? type];
  return {
    requireUserVerification: requireUserVerification !== false,
    types: types.map(String),
    allowCrossOrigin: expectedTopOrigin !== undefined,
  };
}

async function verify(
  provider: ResolvedWebAuthnProvider,
  name: keyof SimpleWebAuthn,
  check: PasskeyCheck,
  options: object,
): Promise<Readonly<Record<string, unknown>>> {
  const library = provider.source.simpleWebAuthn;
  let result: unknown;
  try {
    result = await Reflect.apply(library[name], library, [options]);
  } catch (error) {
    const err = toError(error);
    throw refusal(provider, checkNamedIn(err.message) ?? check, err);
  }
  if (Object(result).verified !== true) throw refusal(provider, check);
  return { ...Object(result) };
}

/** What of a registration only the library can see it says in words; they decide the log's wording and nothing else. */
function checkNamedIn(message: string): PasskeyCheck | null {
  if (/user verification|could not be verified/i.test(message)) return "user-verification";
  if (/user presen|not present/i.test(message)) return "user-presence";
  return /RP ?ID/i.test(message) ? "rp-id" : null;
}

interface RegistrationInfo {
  readonly id: string;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly userVerified: boolean;
  readonly deviceType: string;
  readonly backedUp: boolean;
}

/** Version 11 and later have `credential`; before, its members stood beside the others, the id as bytes or as text. */
function parseRegistrationInfo(value: unknown): RegistrationInfo | null {
  const info = Object(value);
  const { credential = { id: info.credentialID, publicKey: info.credentialPublicKey, counter: info.counter } } = info;
  const { id, publicKey, counter } = Object(credential);
  const { userVerified, credentialDeviceType, credentialBackedUp } = info;
  const text: unknown = id instanceof Uint8Array ? encodeBase64url(id) : id;
  if (typeof text !== "string" || !(publicKey instanceof Uint8Array)) return null;
  if (!Number.isSafeInteger(counter) || typeof credentialDeviceType !== "string") return null;
  return {
    id: text,
    publicKey,
    counter,
    userVerified: userVerified === true,
    deviceType: credentialDeviceType,
    backedUp: credentialBackedUp === true,
  };
}

async function hashOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
