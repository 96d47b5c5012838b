import {
  type AdapterAuthenticator,
  type Authenticator,
  decodeBase64url,
  encodeBase64url,
  type PasskeyCheck,
  type Tools,
  toError,
} from "@cardea/core/extend";
import type { SimpleWebAuthn } from "@cardea/core/providers";
import { algorithmsOf } from "./algorithms.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import type { PasskeyProvider } from "./passkey-provider.ts";
import { hashOf } from "./primitives.ts";
import { parseAttestationObject } from "./protocol/attestation-object.ts";
import {
  type AuthenticatorData,
  checkAgainstRecord,
  checkAuthenticatorData,
  isCounterBehind,
  parseAuthenticatorData,
} from "./protocol/authenticator-data.ts";
import { type ClientData, checkClientData } from "./protocol/client-data.ts";
import { isEqualBytes } from "./protocol/equal-bytes.ts";
import type { AuthenticationResponse, RegistrationResponse } from "./protocol/webauthn-response.ts";
import { refusal } from "./refusal.ts";
import type { ResolvedRelyingParty } from "./relying-party.ts";

/**
 * Verifies a response twice: first by our own checks, so that the log names the failed check with any version of the library, then
 * by the library, which repeats all checks and verifies signature and attestation.
 */

/** Library options set by applications that our own checks also need. */
interface VerifyOptions {
  readonly requireUserVerification: boolean;
  readonly types: readonly string[];
  readonly topOrigins: readonly string[] | null;
}

/** A credential id as it is stored; null if it is invalid. */
export function toStoredId(id: string): string | null {
  const bytes = decodeBase64url(id);
  return bytes === null ? null : encodeBase64(bytes);
}

/** A stored credential id as browsers use it. */
export function fromStoredId(stored: string): string | null {
  const bytes = decodeBase64(stored);
  return bytes === null ? null : encodeBase64url(bytes);
}

/**
 * Verifies an authentication (WebAuthn L3 §7.2).
 *
 * @returns the authenticator's current counter, and whether it verified the user.
 * @throws WebAuthnVerificationError.
 */
export async function verifyAssertion(
  { logger }: Pick<Tools, "logger">,
  provider: PasskeyProvider,
  relyingParty: ResolvedRelyingParty,
  { clientData, data }: { readonly clientData: ClientData; readonly data: AuthenticationResponse },
  stored: AdapterAuthenticator,
): Promise<Pick<AuthenticatorData, "counter" | "userVerified">> {
  const { verifyAuthenticationOptions = {} } = provider.source;
  const { requireUserVerification, ...expected } = readOptions(verifyAuthenticationOptions, "webauthn.get");
  const bytes = decodeBase64url(data.response.authenticatorData);
  const given = bytes === null ? null : parseAuthenticatorData(bytes);
  const publicKey = decodeBase64(stored.credentialPublicKey);
  if (given === null || publicKey === null) throw refusal(provider, "signature");
  const rpIdHashes = await Promise.all(relyingParty.ids.map(hashOf));
  const problem =
    checkClientData(clientData, { ...expected, origins: relyingParty.origins }) ??
    checkAuthenticatorData(given, { rpIdHashes, requireUserVerification }) ??
    checkAgainstRecord(given, { counter: stored.counter, deviceType: stored.credentialDeviceType });
  if (problem !== null) throw refusal(provider, problem);
  const transports = (stored.transports ?? "").split(",").filter((one) => one !== "");
  // The library rejects every counter that is behind.
  const counter = given.backupEligible ? 0 : stored.counter;
  const credentialID = decodeBase64url(data.id);
  await verify(provider, "verifyAuthenticationResponse", "signature", {
    ...verifyAuthenticationOptions,
    ...expectationsOf(relyingParty, clientData),
    response: data,
    credential: { id: data.id, publicKey, counter, transports },
    // The same for version 10 and earlier.
    authenticator: { credentialID, credentialPublicKey: publicKey, counter, transports },
  });
  if (isCounterBehind(given, stored)) {
    const counters = `${given.counter}, after ${stored.counter}`;
    logger.warn(`passkey-counter: a synced passkey of user ${stored.userId} sent the signature counter ${counters}.`);
  }
  return given;
}

/**
 * Verifies a new credential (WebAuthn L3 §7.1).
 *
 * @returns the data to store, and whether the authenticator verified its user.
 * @throws WebAuthnVerificationError.
 */
export async function verifyAttestation(
  provider: PasskeyProvider,
  relyingParty: ResolvedRelyingParty,
  clientData: ClientData,
  data: RegistrationResponse,
): Promise<{ readonly authenticator: Omit<Authenticator, "userId">; readonly userVerified: boolean }> {
  const { verifyRegistrationOptions = {} } = provider.source;
  const { requireUserVerification, ...expected } = readOptions(verifyRegistrationOptions, "webauthn.create");
  const attested = parseAttested(data);
  const rpIdHashes = await Promise.all(relyingParty.ids.map(hashOf));
  const algorithms = algorithmsOf(provider.source);
  const problem =
    checkClientData(clientData, { ...expected, origins: relyingParty.origins }) ??
    (attested === null
      ? "attestation"
      : checkAuthenticatorData(attested.given, { rpIdHashes, requireUserVerification })) ??
    (algorithms.includes(attested?.algorithm ?? 0) ? null : "algorithm");
  if (problem !== null || attested === null) throw refusal(provider, problem ?? "attestation");
  const result = await verify(provider, "verifyRegistrationResponse", "attestation", {
    ...verifyRegistrationOptions,
    ...expectationsOf(relyingParty, clientData),
    supportedAlgorithmIDs: [...algorithms],
    response: data,
  });
  const info = parseRegistrationInfo(result.registrationInfo);
  if (info === null || info.id !== data.id || !isEqualBytes(info.publicKey, attested.publicKey))
    throw refusal(provider, "attestation");
  const credentialID = toStoredId(info.id) ?? "";
  const authenticator: Omit<Authenticator, "userId"> = {
    credentialID,
    providerAccountId: credentialID,
    credentialPublicKey: encodeBase64(info.publicKey),
    counter: attested.given.counter,
    credentialDeviceType: attested.given.backupEligible ? "multiDevice" : "singleDevice",
    credentialBackedUp: attested.given.backedUp,
    transports: data.response.transports.length === 0 ? null : data.response.transports.join(","),
  };
  return { authenticator, userVerified: attested.given.userVerified };
}

function expectationsOf(relyingParty: ResolvedRelyingParty, { challenge }: ClientData) {
  // The challenge of the response, not an expected one: it was checked when the pending operation was consumed.
  return {
    expectedChallenge: challenge,
    expectedOrigin: [...relyingParty.origins],
    expectedRPID: [...relyingParty.ids],
  };
}

function readOptions(options: object, type: string): VerifyOptions {
  const { requireUserVerification, expectedType, expectedTopOrigin } = Object(options);
  const types: readonly unknown[] = Array.isArray(expectedType) ? expectedType : [expectedType ?? type];
  return {
    requireUserVerification: requireUserVerification !== false,
    types: types.map(String),
    topOrigins: expectedTopOrigin === undefined ? null : [expectedTopOrigin].flat().map(String),
  };
}

async function verify(
  provider: PasskeyProvider,
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

/**
 * Some registration failures are detected only by the library, which describes them in words; these affect only the log
 * message.
 */
function checkNamedIn(message: string): PasskeyCheck | null {
  if (/user verification|could not be verified/i.test(message)) return "user-verification";
  if (/user presen|not present/i.test(message)) return "user-presence";
  return /RP ?ID/i.test(message) ? "rp-id" : null;
}

/** The attested data of a registration: its id is that of the response. */
function parseAttested(data: RegistrationResponse) {
  const bytes = decodeBase64url(data.response.attestationObject);
  const attestation = bytes === null ? null : parseAttestationObject(bytes);
  const given: AuthenticatorData | null =
    attestation === null ? null : parseAuthenticatorData(attestation.authenticatorData);
  if (given?.credential == null || encodeBase64url(given.credential.id) !== data.id) return null;
  const { algorithm, bytes: publicKey } = given.credential.publicKey;
  return { given, algorithm, publicKey };
}

interface RegistrationInfo {
  readonly id: string;
  readonly publicKey: Uint8Array;
}

/** Version 11 and later have `credential`; earlier versions have its members directly, with the id as bytes or as text. */
function parseRegistrationInfo(value: unknown): RegistrationInfo | null {
  const info = Object(value);
  const { credential = { id: info.credentialID, publicKey: info.credentialPublicKey } } = info;
  const { id, publicKey } = Object(credential);
  const text: unknown = id instanceof Uint8Array ? encodeBase64url(id) : id;
  return typeof text === "string" && publicKey instanceof Uint8Array ? { id: text, publicKey } : null;
}
