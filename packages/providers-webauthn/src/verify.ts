import type { SimpleWebAuthn } from "@cardea/core/providers";
import {
  type AdapterAuthenticator,
  type Authenticator,
  decodeBase64url,
  encodeBase64url,
  type PasskeyCheck,
  type Tools,
  toError,
  WebAuthnVerificationError,
} from "@cardea/extend";
import { algorithmsOf } from "./algorithms.ts";
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { nameOfAaguid } from "./passkey-names.ts";
import type { PasskeyProvider } from "./passkey-provider.ts";
import { hashOf } from "./primitives.ts";
import { type ClientData, checkClientData } from "./protocol/client-data.ts";
import { matchesAlgorithm } from "./protocol/cose-key.ts";
import {
  type CredentialState,
  checkAgainstRecord,
  GREATEST_COUNTER,
  isCounterBehind,
} from "./protocol/credential-record.ts";
import type { AuthenticationResponse, RegistrationResponse } from "./protocol/webauthn-response.ts";
import { refusal } from "./refusal.ts";
import type { ResolvedRelyingParty } from "./relying-party.ts";
import { loadHelpers } from "./simple-webauthn.ts";

/**
 * Verifies responses with `@simplewebauthn/server`. Each step of WebAuthn L3 §7.1 and §7.2 is verified once: by the library, or
 * here if the library lacks it (docs/passkeys.md#who-checks-what).
 */

/** The verified part of a response that is stored or returned. */
interface VerifiedState extends CredentialState {
  readonly userVerified: boolean;
  readonly backedUp: boolean;
}

/** The fewest characters of a column for account ids: those of a text of Prisma in MySQL. */
const MAX_ACCOUNT_ID = 191;

/**
 * The id of the account of a passkey: that of its credential. One that is too long for its column, which ids of all providers share, is replaced
 * by its hash; no credential id contains a colon.
 */
async function toAccountId(credentialID: string): Promise<string> {
  return credentialID.length > MAX_ACCOUNT_ID ? `sha256:${encodeBase64(await hashOf(credentialID))}` : credentialID;
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
 * 1. The client data do not come from an unexpected frame or another connection (steps 13 and 14).
 * 2. The library verifies all other steps up to the signature (step 21), except for the counter.
 * 3. Backup eligibility and counter match the stored credential (steps 19 and 22).
 *
 * @returns the authenticator's current counter and backup state, and whether it verified the user.
 * @throws WebAuthnVerificationError.
 */
export async function verifyAssertion(
  { logger }: Pick<Tools, "logger">,
  provider: PasskeyProvider,
  relyingParty: ResolvedRelyingParty,
  { clientData, data }: { readonly clientData: ClientData; readonly data: AuthenticationResponse },
  stored: AdapterAuthenticator,
): Promise<Pick<VerifiedState, "counter" | "userVerified" | "backedUp">> {
  const { verifyAuthenticationOptions = {} } = provider.source;
  requireExpectedFrame(provider, verifyAuthenticationOptions, clientData);
  const publicKey = decodeBase64(stored.credentialPublicKey);
  if (publicKey === null) throw refusal(provider, "signature");
  const transports = (stored.transports ?? "").split(",").filter((one) => one !== "");
  // Zero switches off the library's check of the counter: see `checkAgainstRecord()`.
  const counter = 0;
  const credentialID = decodeBase64url(data.id);
  const result = await verify(provider, "verifyAuthenticationResponse", "signature", {
    ...optionsOf(verifyAuthenticationOptions, relyingParty, clientData),
    response: data,
    credential: { id: data.id, publicKey, counter, transports },
    // The same for version 10 and earlier.
    authenticator: { credentialID, credentialPublicKey: publicKey, counter, transports },
  });
  const { newCounter, ...info } = Object(result.authenticationInfo);
  const given = parseState({ ...info, counter: newCounter });
  if (given === null) throw refusal(provider, "signature");
  const problem = checkAgainstRecord(given, { counter: stored.counter, deviceType: stored.credentialDeviceType });
  if (problem !== null) throw refusal(provider, problem);
  if (isCounterBehind(given, stored)) {
    const counters = `${given.counter}, after ${stored.counter}`;
    logger.warn(`passkey-counter: a synced passkey of user ${stored.userId} sent the signature counter ${counters}.`);
  }
  return given;
}

/**
 * Verifies a new credential (WebAuthn L3 §7.1).
 *
 * 1. The client data do not come from an unexpected frame or another connection (steps 10 and 11).
 * 2. The library verifies all other steps up to the attestation (step 24).
 * 3. Id, key and statement are what the response contains; see {@link isSound}.
 *
 * Whether the credential is already registered (step 26) is checked by the caller.
 *
 * @param isConditional whether the browser was asked to create it without a prompt.
 * @returns the data to store, and whether the authenticator verified its user.
 * @throws WebAuthnVerificationError.
 */
export async function verifyAttestation(
  t: Pick<Tools, "adapterHas">,
  provider: PasskeyProvider,
  relyingParty: ResolvedRelyingParty,
  clientData: ClientData,
  { data, isConditional }: { readonly data: RegistrationResponse; readonly isConditional: boolean },
): Promise<{ readonly authenticator: Omit<Authenticator, "userId">; readonly userVerified: boolean }> {
  const { verifyRegistrationOptions = {} } = provider.source;
  requireExpectedFrame(provider, verifyRegistrationOptions, clientData);
  const result = await verify(provider, "verifyRegistrationResponse", "attestation", {
    ...optionsOf(verifyRegistrationOptions, relyingParty, clientData),
    // The browser asks no one when it creates a passkey beside a password (step 15).
    ...(isConditional && { requireUserPresence: false, requireUserVerification: false }),
    supportedAlgorithmIDs: [...algorithmsOf(provider.source)],
    response: data,
  });
  const created = parseRegistrationInfo(result.registrationInfo);
  if (created === null || !(await isSound(created, data))) throw refusal(provider, "attestation");
  const credentialID = toStoredId(created.id) ?? "";
  const authenticator: Omit<Authenticator, "userId"> = {
    credentialID,
    providerAccountId: await toAccountId(credentialID),
    credentialPublicKey: encodeBase64(created.publicKey),
    counter: created.counter,
    credentialDeviceType: created.backupEligible ? "multiDevice" : "singleDevice",
    credentialBackedUp: created.backedUp,
    transports: data.response.transports.length === 0 ? null : data.response.transports.join(","),
    // Adapters for the tables of Auth.js would reject members without a column.
    ...(t.adapterHas("updateAuthenticator") && { name: created.name }),
  };
  return { authenticator, userVerified: created.userVerified };
}

/** The generator of P-256 as a COSE key, in the place of the key of an unknown credential. */
const NO_KEY =
  "pQECAyYgASFYIGsX0fLhLEJH+Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWIlggT+NC4v4af5uO5+tKfA+eFivOM1drMV7Oy7ZAaDe/UfU=";

/**
 * Verifies the response of a credential that is not stored, up to its signature, so that it fails as that of a stored one would: a
 * stranger who presents ids of credentials learns nothing from the way in which each fails.
 *
 * @throws WebAuthnVerificationError if an earlier check fails than that of the signature.
 */
export async function verifyUnknown(
  t: Pick<Tools, "logger">,
  provider: PasskeyProvider,
  relyingParty: ResolvedRelyingParty,
  given: { readonly clientData: ClientData; readonly data: AuthenticationResponse },
): Promise<void> {
  const nothing = { credentialID: "", providerAccountId: "", userId: "", credentialPublicKey: NO_KEY };
  const unknown = { credentialDeviceType: "", credentialBackedUp: false, counter: -1 };
  try {
    await verifyAssertion(t, provider, relyingParty, given, { ...nothing, ...unknown });
  } catch (error) {
    if (!(error instanceof WebAuthnVerificationError) || error.check !== "signature") throw error;
  }
}

/** @throws WebAuthnVerificationError if the library would accept client data that must be rejected. */
function requireExpectedFrame(provider: PasskeyProvider, options: object, clientData: ClientData): void {
  const { expectedTopOrigin } = Object(options);
  const topOrigins = expectedTopOrigin === undefined ? null : [expectedTopOrigin].flat().map(String);
  const problem = checkClientData(clientData, topOrigins);
  if (problem !== null) throw refusal(provider, problem);
}

/**
 * The library's options. User presence is required, and user verification unless `requireUserVerification` is false: no other
 * option of the application can weaken either. The one exception is a passkey that is created without a prompt.
 */
function optionsOf(options: object, relyingParty: ResolvedRelyingParty, { challenge }: ClientData): object {
  const { requireUserVerification, advancedFIDOConfig } = Object(options);
  return {
    ...options,
    requireUserPresence: true,
    requireUserVerification: requireUserVerification !== false || advancedFIDOConfig?.userVerification === "required",
    advancedFIDOConfig: undefined,
    // The challenge of the response, not an expected one: it was checked when the pending operation was consumed.
    expectedChallenge: challenge,
    expectedOrigin: [...relyingParty.origins],
    expectedRPID: [...relyingParty.ids],
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
 * The checks that the library names only in the text of its errors (versions 9 to 14). Affects only the log: an unknown text
 * is logged as a failed signature or attestation.
 */
const NAMED_CHECKS: readonly (readonly [RegExp, PasskeyCheck])[] = [
  [/^Unexpected \w+ response type/, "type"],
  [/^Unexpected \w+ response origin/, "origin"],
  [/^Unexpected RP ?ID/, "rp-id"],
  [/^User (?:presence|not present)/, "user-presence"],
  [/^User verification/, "user-verification"],
  [/^Single-device credential/, "backup"],
  [/^Unexpected public key alg/, "algorithm"],
];

function checkNamedIn(message: string): PasskeyCheck | null {
  return NAMED_CHECKS.find(([text]) => text.test(message))?.[1] ?? null;
}

/**
 * Checks of a new credential that the library lacks.
 *
 * 1. The created credential is the one that the response names, whose id has at most 1023 bytes (WebAuthn L3 §7.1 step 25).
 * 2. Its key is encoded as the library returns it, so that no other key is stored (§6.5.1: CTAP2 canonical CBOR).
 * 3. The type and curve of the key are those of its algorithm (§5.8.5).
 * 4. Without attestation, the statement is a map (§8.7); the library checks only that a map is empty.
 */
async function isSound({ id, publicKey }: CreatedCredential, { id: expected, response }: RegistrationResponse) {
  const { decodeAttestationObject, decodeCredentialPublicKey, isoBase64URL, isoUint8Array } = await loadHelpers();
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
  // Hash, flags and counter have 37 bytes; AAGUID and the length of the id 18.
  const start = 37 + 18 + isoBase64URL.toBuffer(id).length;
  const encoded = attestation.get("authData").subarray(start, start + publicKey.length);
  return (
    id === expected &&
    isoUint8Array.areEqual(encoded, publicKey) &&
    matchesAlgorithm(decodeCredentialPublicKey(publicKey)) &&
    attestation.get("attStmt") instanceof Map
  );
}

interface CreatedCredential extends VerifiedState {
  readonly id: string;
  readonly publicKey: Uint8Array<ArrayBuffer>;
  readonly name: string | null;
}

/** Version 11 and later have `credential`; earlier versions have its members directly, with the id as bytes or as text. */
function parseRegistrationInfo(value: unknown): CreatedCredential | null {
  const info = Object(value);
  const { counter } = info;
  const { credential = { id: info.credentialID, publicKey: info.credentialPublicKey, counter } } = info;
  const { id, publicKey } = Object(credential);
  const state = parseState({ ...info, counter: Object(credential).counter });
  const text: unknown = id instanceof Uint8Array ? encodeBase64url(id) : id;
  if (state === null || typeof text !== "string" || !(publicKey instanceof Uint8Array)) return null;
  return { ...state, id: text, publicKey: Uint8Array.from(publicKey), name: nameOfAaguid(info.aaguid) };
}

/** The flags and the counter that the library returns, as they are compared and stored; null if one is missing. */
function parseState(info: Readonly<Record<string, unknown>>): VerifiedState | null {
  const { counter, userVerified, credentialDeviceType, credentialBackedUp: backedUp } = info;
  const backupEligible = credentialDeviceType === "multiDevice";
  if (!backupEligible && credentialDeviceType !== "singleDevice") return null;
  if (typeof counter !== "number" || typeof userVerified !== "boolean" || typeof backedUp !== "boolean") return null;
  return { counter: Math.min(counter, GREATEST_COUNTER), userVerified, backupEligible, backedUp };
}
