/**
 * The result of a browser's passkey call, as JSON (WebAuthn L3 §5.1, RegistrationResponseJSON and
 * AuthenticationResponseJSON).
 */

/** The two passkey operations (docs/behaviour.md#actions). */
export type Ceremony = "register" | "authenticate";

/** Members of both responses. Binary members are base64url. */
interface Credential {
  readonly id: string;
  readonly rawId: string;
  readonly type: "public-key";
  readonly clientExtensionResults: Readonly<Record<string, never>>;
}

/** The result of `navigator.credentials.create()`. */
export interface RegistrationResponse extends Credential {
  readonly response: {
    readonly clientDataJSON: string;
    readonly attestationObject: string;
    readonly transports: readonly string[];
  };
}

/** The result of `navigator.credentials.get()`. */
export interface AuthenticationResponse extends Credential {
  readonly response: {
    readonly clientDataJSON: string;
    readonly authenticatorData: string;
    readonly signature: string;
    readonly userHandle?: string;
  };
}

/** A response, and its operation. */
export type PasskeyAnswer =
  | { readonly ceremony: "register"; readonly data: RegistrationResponse }
  | { readonly ceremony: "authenticate"; readonly data: AuthenticationResponse };

/** Credential ids have at most 1023 bytes (WebAuthn L3 §4), which are 1364 characters. */
const MAX_ID_LENGTH = 1364;

/** More than any attestation with its certificates needs; a body has at most 64 KiB. */
const MAX_MEMBER_LENGTH = 60_000;

const BASE64URL = /^[A-Za-z0-9_-]+$/;

/** A transport is one word (WebAuthn L3 §5.8.4), including future ones; no authenticator has more than these. */
const TRANSPORT = /^[a-z][a-z0-9-]{0,31}$/;
const MAX_TRANSPORTS = 8;

type Members = ReadonlyMap<string, unknown>;

/** Reads the name of an operation; null for anything else. */
export function parseCeremony(value: unknown): Ceremony | null {
  return value === "register" || value === "authenticate" ? value : null;
}

/**
 * Reads a response: JSON text or an object. Only known own members of the right type and size are kept. Never throws.
 *
 * @returns null for anything that no browser sends.
 */
export function parsePasskeyAnswer(action: unknown, data: unknown): PasskeyAnswer | null {
  const ceremony = parseCeremony(action);
  const members = toMembers(typeof data === "string" ? parseJson(data) : data);
  const response = toMembers(members?.get("response"));
  if (ceremony === null || members === null || response === null) return null;
  const id = members.get("id");
  if (!isId(id) || members.get("rawId") !== id || members.get("type") !== "public-key") return null;
  const credential = { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
  if (ceremony === "register") {
    const parsed = parseAttestation(response);
    return parsed === null ? null : { ceremony, data: { ...credential, response: parsed } };
  }
  const parsed = parseAssertion(response);
  return parsed === null ? null : { ceremony, data: { ...credential, response: parsed } };
}

function parseAttestation(response: Members): RegistrationResponse["response"] | null {
  const clientDataJSON = response.get("clientDataJSON");
  const attestationObject = response.get("attestationObject");
  if (!isBinary(clientDataJSON) || !isBinary(attestationObject)) return null;
  return { clientDataJSON, attestationObject, transports: parseTransports(response.get("transports")) };
}

function parseAssertion(response: Members): AuthenticationResponse["response"] | null {
  const clientDataJSON = response.get("clientDataJSON");
  const authenticatorData = response.get("authenticatorData");
  const signature = response.get("signature");
  const userHandle = response.get("userHandle");
  if (!isBinary(clientDataJSON) || !isBinary(authenticatorData) || !isBinary(signature)) return null;
  const handle = isId(userHandle) ? { userHandle } : {};
  return { clientDataJSON, authenticatorData, signature, ...handle };
}

/** Transports are hints: invalid ones are dropped. Sorted, as in browsers (WebAuthn L3 §5.2.1). */
function parseTransports(value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const given = value.filter((one): one is string => typeof one === "string" && TRANSPORT.test(one));
  return [...new Set(given)].sort().slice(0, MAX_TRANSPORTS);
}

function isId(value: unknown): value is string {
  return isBinary(value) && value.length <= MAX_ID_LENGTH;
}

function isBinary(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_MEMBER_LENGTH && BASE64URL.test(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toMembers(value: unknown): Members | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  return new Map<string, unknown>(Object.entries(value));
}
