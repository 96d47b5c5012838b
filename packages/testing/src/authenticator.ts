import { concat, encodeCbor } from "./authenticator/cbor.ts";
import { toDerSignature } from "./authenticator/der-signature.ts";
import type { AuthenticatorAnswer, CreationOptions, RequestOptions } from "./authenticator/webauthn-json.ts";

/** A credential in the authenticator. */
export interface SoftwareCredential {
  /** base64url. */
  readonly id: string;
  /** The relying party it was created for. */
  readonly rpId: string;
  /** base64url: `user.id` of the creation options. */
  readonly userHandle: string;
  /** Signature counter. May be set, to simulate a copied key. */
  counter: number;
  /** The private key signs; the public key is in the registration. */
  readonly keys: CryptoKeyPair;
}

/** Manipulations of a response that a genuine browser and authenticator would not produce. */
export interface Manipulation {
  /** Default: the origin of {@link AuthenticatorOptions}. */
  readonly origin?: string;
  /** The relying party id hashed in the authenticator data; default: that of the options. */
  readonly rpId?: string;
  /** The type of the client data; default `webauthn.create` or `webauthn.get`. */
  readonly type?: string;
  /** base64url; default: the options' challenge. */
  readonly challenge?: string;
  /** Whether the operation ran in a frame on another site. */
  readonly crossOrigin?: boolean;
  /** Additional members of the client data, such as `topOrigin` and `tokenBinding`; default: none. */
  readonly clientData?: Readonly<Record<string, unknown>>;
  /** The flag "backup eligible" (BE); default: from {@link AuthenticatorOptions}. */
  readonly backupEligible?: boolean;
  /** The flag "backup state" (BS); default: from {@link AuthenticatorOptions}. */
  readonly backedUp?: boolean;
  /** The flag "user present" (UP); default true. */
  readonly userPresent?: boolean;
  /** The flag "user verified" (UV); default: from {@link AuthenticatorOptions}. */
  readonly userVerified?: boolean;
  /** The reported counter; default: one more than at the last use. */
  readonly counter?: number;
  /** base64url: the id of the new credential, or the reported id of an assertion. */
  readonly credentialId?: string;
  /** base64url: the user handle of an assertion; null: none, as for a non-discoverable credential. */
  readonly userHandle?: string | null;
  /** Breaks the signature of an assertion. */
  readonly breakSignature?: boolean;
}

/** Options of {@link createAuthenticator}. */
export interface AuthenticatorOptions {
  /** The origin of the page; default `https://app.example.com`. */
  readonly origin?: string;
  /** Default `["hybrid", "internal"]`; empty: not reported. */
  readonly transports?: readonly string[];
  /** Whether it has a signature counter; default true. Otherwise it reports 0, like synced passkeys. */
  readonly counts?: boolean;
  /** Whether it verifies the user, by fingerprint or PIN; default true. */
  readonly verifiesUser?: boolean;
  /** Whether its keys are synced to other devices; default false. */
  readonly backedUp?: boolean;
  /** Its model or provider, such as `ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4`; default: zero, for an unknown one. */
  readonly aaguid?: string;
}

/** A browser and authenticator, implemented in software. */
export interface SoftwareAuthenticator {
  /** All credentials, oldest first. */
  readonly credentials: readonly SoftwareCredential[];
  /** Creates a credential. Rejects if it contains one of `excludeCredentials` (`InvalidStateError` in a browser). */
  create(options: CreationOptions, manipulation?: Manipulation): Promise<AuthenticatorAnswer>;
  /**
   * Signs a challenge with the newest credential of the site that `allowCredentials` permits; an empty list permits
   * all. Rejects if there is none (`NotAllowedError` in a browser).
   */
  get(options: RequestOptions, manipulation?: Manipulation): Promise<AuthenticatorAnswer>;
  /** Removes a credential, as browsers do for `signalUnknownCredential`. */
  forget(credentialId: string): void;
}

const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;
const FLAGS = { userPresent: 1, userVerified: 4, backupEligible: 8, backedUp: 16, attested: 64 } as const;

/**
 * Creates a software authenticator for tests: ES256 keys, attestation `none`. Its responses can be manipulated.
 */
export function createAuthenticator(options: AuthenticatorOptions = {}): SoftwareAuthenticator {
  const settings: Required<AuthenticatorOptions> = { ...DEFAULTS, ...options };
  const credentials: SoftwareCredential[] = [];
  return {
    credentials,
    create: (asked, manipulation = {}) => createCredential(settings, credentials, asked, manipulation),
    get: (asked, manipulation = {}) => signChallenge(settings, credentials, asked, manipulation),
    forget: (credentialId) => {
      const at = credentials.findIndex(({ id }) => id === credentialId);
      if (at !== -1) credentials.splice(at, 1);
    },
  };
}

type Settings = Required<AuthenticatorOptions>;

const DEFAULTS: Settings = {
  origin: "https://app.example.com",
  transports: ["hybrid", "internal"],
  counts: true,
  verifiesUser: true,
  backedUp: false,
  aaguid: "00000000-0000-0000-0000-000000000000",
};

async function createCredential(
  settings: Settings,
  credentials: SoftwareCredential[],
  asked: CreationOptions,
  manipulation: Manipulation,
): Promise<AuthenticatorAnswer> {
  const rpId = asked.rp.id ?? new URL(settings.origin).hostname;
  if (credentials.some(({ id }) => asked.excludeCredentials?.some((one) => one.id === id))) {
    throw new Error("InvalidStateError: the authenticator already has a credential of excludeCredentials.");
  }
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  const id = manipulation.credentialId ?? toText(crypto.getRandomValues(new Uint8Array(32)));
  const credential = { id, rpId, userHandle: asked.user.id, counter: settings.counts ? 1 : 0, keys };
  credentials.push(credential);
  const fixed = await authenticatorData(settings, credential, manipulation, FLAGS.attested);
  const authData = concat([fixed, await attestedData(id, keys.publicKey, settings.aaguid)]);
  const attestation = new Map<string, string | Uint8Array | ReadonlyMap<string, string>>([
    ["fmt", "none"],
    ["attStmt", new Map()],
    ["authData", authData],
  ]);
  const clientData = clientDataOf("webauthn.create", asked.challenge, settings.origin, manipulation);
  const response = { clientDataJSON: toText(clientData), attestationObject: toText(encodeCbor(attestation)) };
  return answer(id, { ...response, transports: settings.transports });
}

async function signChallenge(
  settings: Settings,
  credentials: readonly SoftwareCredential[],
  asked: RequestOptions,
  manipulation: Manipulation,
): Promise<AuthenticatorAnswer> {
  const rpId = asked.rpId ?? new URL(settings.origin).hostname;
  const allowed = asked.allowCredentials ?? [];
  const isAllowed = ({ id }: SoftwareCredential) => allowed.length === 0 || allowed.some((one) => one.id === id);
  const credential = credentials.findLast((one) => one.rpId === rpId && isAllowed(one));
  if (credential === undefined) throw new Error("NotAllowedError: the authenticator has no allowed credential.");
  if (settings.counts) credential.counter += 1;
  const data = await authenticatorData(settings, credential, manipulation);
  const clientData = clientDataOf("webauthn.get", asked.challenge, settings.origin, manipulation);
  const signature = await sign(credential.keys.privateKey, concat([data, await sha256(clientData)]));
  if (manipulation.breakSignature === true) signature[40] = (signature[40] ?? 0) ^ 0x5a;
  const { userHandle = credential.userHandle } = manipulation;
  return answer(manipulation.credentialId ?? credential.id, {
    clientDataJSON: toText(clientData),
    authenticatorData: toText(data),
    signature: toText(toDerSignature(signature)),
    ...(userHandle === null ? {} : { userHandle }),
  });
}

/** WebAuthn L3 §6.1: hash of the relying party id, flags, counter. */
async function authenticatorData(
  settings: Settings,
  credential: SoftwareCredential,
  manipulation: Manipulation,
  attested = 0,
): Promise<Uint8Array> {
  const { userPresent = true, userVerified = settings.verifiesUser } = manipulation;
  const { backupEligible = settings.backedUp, backedUp = settings.backedUp } = manipulation;
  const backup = (backupEligible ? FLAGS.backupEligible : 0) | (backedUp ? FLAGS.backedUp : 0);
  const person = (userPresent ? FLAGS.userPresent : 0) | (userVerified ? FLAGS.userVerified : 0);
  const count = new Uint8Array(4);
  new DataView(count.buffer).setUint32(0, manipulation.counter ?? credential.counter);
  const hash = await sha256(new TextEncoder().encode(manipulation.rpId ?? credential.rpId));
  return concat([hash, Uint8Array.of(person | backup | attested), count]);
}

/**
 * Signs until both integers of the signature have 32 bytes: version 9 of @simplewebauthn/server, used by packages for
 * Auth.js v5, rejects shorter ones, about one in a hundred.
 */
async function sign(key: CryptoKey, data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const signature = new Uint8Array(await crypto.subtle.sign(ALGORITHM, key, data));
  return signature[0] === 0 || signature[32] === 0 ? sign(key, data) : signature;
}

function answer(id: string, response: AuthenticatorAnswer["response"]): AuthenticatorAnswer {
  const shared = { type: "public-key", authenticatorAttachment: "platform", clientExtensionResults: {} } as const;
  return { id, rawId: id, ...shared, response };
}

function clientDataOf(type: string, challenge: string, origin: string, manipulation: Manipulation) {
  const { crossOrigin = false } = manipulation;
  const data = {
    type: manipulation.type ?? type,
    challenge: manipulation.challenge ?? challenge,
    origin: manipulation.origin ?? origin,
    crossOrigin,
    ...manipulation.clientData,
  };
  return new TextEncoder().encode(JSON.stringify(data));
}

/** Attested credential data (WebAuthn L3 §6.5.1): AAGUID, the id, the public key as COSE (RFC 9053 §7.1.1). */
async function attestedData(id: string, publicKey: CryptoKey, aaguid: string): Promise<Uint8Array> {
  const { x = "", y = "" } = await crypto.subtle.exportKey("jwk", publicKey);
  const cose = new Map<number, number | Uint8Array>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, toBytes(x)],
    [-3, toBytes(y)],
  ]);
  const idBytes = toBytes(id);
  const length = Uint8Array.of(idBytes.length >> 8, idBytes.length & 0xff);
  const model = new Uint8Array(Buffer.from(aaguid.replaceAll("-", ""), "hex"));
  return concat([model, length, idBytes, encodeCbor(cose)]);
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

function toText(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url");
}

function toBytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64url"));
}
