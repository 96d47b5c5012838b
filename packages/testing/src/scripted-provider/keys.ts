/** The provider's keys: made when first needed, published as JWKS, rotated on demand. */
import { createHmac, generateKeyPairSync, type KeyObject, sign as signBytes } from "node:crypto";
import type { JWK } from "jose";
import type { Json, JsonObject } from "./json.ts";

/** Signature algorithms the provider has keys for. */
export type SignatureAlgorithm = "RS256" | "RS384" | "RS512" | "PS256" | "ES256" | "ES384" | "EdDSA";

/**
 * Which keys are published. `single`: the one that signs. The others are those of the OpenID Foundation's suite, each with
 * RSA, P-256, secp256k1 and Ed25519 signing keys without `alg`, and an RSA and an EC encryption key; the last key of a
 * kind signs. `conformance`: 2 RSA, 2 P-256, 1 and 1. `one-of-each`, `three-of-each`: so many of each kind.
 */
export type KeySet = "single" | "conformance" | "one-of-each" | "three-of-each";

type KeyKind = "RSA" | "P-256" | "P-384" | "secp256k1" | "Ed25519";

/** One key pair. */
export interface ProviderKey {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  readonly publicJwk: JWK;
}

/** What a test may do with the keys. */
export interface ProviderKeys {
  /** Makes new keys at the next use; the old ones are neither published nor used again. */
  rotate(): void;
  /** The public keys of `set` (default `single`), as published. */
  jwks(set?: KeySet): Promise<{ readonly keys: readonly JWK[] }>;
  /** Signs a JWT of the test's own with a published key; `header` is merged over `alg` and `kid`. */
  sign(payload: JsonObject, header?: JsonObject): Promise<string>;
}

const KIND_OF: Readonly<Record<SignatureAlgorithm, KeyKind>> = {
  RS256: "RSA",
  RS384: "RSA",
  RS512: "RSA",
  PS256: "RSA",
  ES256: "P-256",
  ES384: "P-384",
  EdDSA: "Ed25519",
};

const SIGNING_KEYS: Readonly<Record<KeySet, ReadonlyMap<KeyKind, number>>> = {
  single: new Map(),
  conformance: new Map([
    ["RSA", 2],
    ["P-256", 2],
    ["secp256k1", 1],
    ["Ed25519", 1],
  ]),
  "one-of-each": new Map([
    ["RSA", 1],
    ["P-256", 1],
    ["secp256k1", 1],
    ["Ed25519", 1],
  ]),
  "three-of-each": new Map([
    ["RSA", 3],
    ["P-256", 3],
    ["secp256k1", 3],
    ["Ed25519", 3],
  ]),
};

/** Synchronous: the provider answers within a turn of the event loop, so that no time limit ends a request on a busy machine. */
function generateKind(kind: KeyKind): { publicKey: KeyObject; privateKey: KeyObject } {
  if (kind === "RSA") return generateKeyPairSync("rsa", { modulusLength: 2048 });
  if (kind === "Ed25519") return generateKeyPairSync("ed25519");
  return generateKeyPairSync("ec", { namedCurve: kind });
}

async function makeKey(kind: KeyKind, kid: string): Promise<ProviderKey> {
  const { privateKey, publicKey } = generateKind(kind);
  return { kid, privateKey, publicKey, publicJwk: { ...publicKey.export({ format: "jwk" }) } };
}

/**
 * Keys by issuer and name. Making an RSA key takes a tenth of a second, and tests make hundreds of providers: providers of
 * one issuer in one process have the same keys, those of different issuers never.
 */
const pool = new Map<string, Promise<ProviderKey>>();

function keyFromPool(issuer: string, kind: KeyKind, kid: string): Promise<ProviderKey> {
  const name = JSON.stringify([issuer, kid]);
  const known = pool.get(name) ?? makeKey(kind, kid);
  pool.set(name, known);
  return known;
}

function encode(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** `header.payload`, ready to be signed. */
export function signingInput(header: JsonObject, payload: JsonObject): string {
  return `${encode(header)}.${encode(payload)}`;
}

/** The signature over a signing input, whatever its header says. */
export function signWithKey(input: string, alg: SignatureAlgorithm, key: KeyObject): Buffer {
  if (alg === "EdDSA") return signBytes(null, Buffer.from(input), key);
  const hash = `sha${alg.slice(2)}`;
  if (alg.startsWith("ES")) return signBytes(hash, Buffer.from(input), { key, dsaEncoding: "ieee-p1363" });
  // 6 is RSA_PKCS1_PSS_PADDING; its salt is as long as the hash (RFC 7518 §3.5).
  const padding = alg === "PS256" ? { padding: 6, saltLength: 32 } : {};
  return signBytes(hash, Buffer.from(input), { key, ...padding });
}

/** HS256 over a signing input. */
export function signWithSecret(input: string, secret: string): Buffer {
  return createHmac("sha256", secret).update(input).digest();
}

/** The keys of one provider: {@link ProviderKeys} and what the provider itself needs. */
export class KeyStore implements ProviderKeys {
  readonly #issuer: string;
  readonly #alg: SignatureAlgorithm;
  #generation = 0;

  constructor(issuer: string, alg: SignatureAlgorithm) {
    this.#issuer = issuer;
    this.#alg = alg;
  }

  rotate(): void {
    this.#generation += 1;
  }

  /** The key that signs with `alg` while `set` is published. */
  signingKey(alg: SignatureAlgorithm, set: KeySet): Promise<ProviderKey> {
    const kind = KIND_OF[alg];
    return this.#key(kind, SIGNING_KEYS[set].get(kind) ?? 1);
  }

  /** A key of the same kind that is never published. */
  strangerKey(alg: SignatureAlgorithm): Promise<ProviderKey> {
    return keyFromPool(this.#issuer, KIND_OF[alg], `stranger-${KIND_OF[alg]}`);
  }

  async jwks(set: KeySet = "single"): Promise<{ readonly keys: readonly JWK[] }> {
    if (set === "single") {
      const { kid, publicJwk } = await this.signingKey(this.#alg, set);
      return { keys: [{ ...publicJwk, kid, use: "sig", alg: this.#alg }] };
    }
    const signing = [...SIGNING_KEYS[set]].flatMap(([kind, count]) =>
      Array.from({ length: count }, (_, i) => this.#published(kind, i + 1)),
    );
    const encryption = [this.#encryption("RSA", "RSA-OAEP"), this.#encryption("P-256", "ECDH-ES")];
    return { keys: await Promise.all([...signing, ...encryption]) };
  }

  async sign(payload: JsonObject, header: JsonObject = {}): Promise<string> {
    const { kid, privateKey } = await this.signingKey(this.#alg, "single");
    const input = signingInput({ alg: this.#alg, kid, ...header }, payload);
    return `${input}.${signWithKey(input, this.#alg, privateKey).toString("base64url")}`;
  }

  #key(kind: KeyKind, index: number): Promise<ProviderKey> {
    return keyFromPool(this.#issuer, kind, `${kind}-${index}-generation-${this.#generation}`);
  }

  async #published(kind: KeyKind, index: number): Promise<JWK> {
    const { kid, publicJwk } = await this.#key(kind, index);
    return { ...publicJwk, kid, use: "sig" };
  }

  async #encryption(kind: KeyKind, alg: string): Promise<JWK> {
    const { kid, publicJwk } = await keyFromPool(this.#issuer, kind, `encryption-${kind}`);
    return { ...publicJwk, kid, use: "enc", alg };
  }
}
