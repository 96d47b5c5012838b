import { guardStore } from "../application/guard-store.ts";
import { type DirectKey, decryptText, deriveDirectKey, encryptText, isSealedWith } from "../crypto/direct-jwe.ts";
import { sha256 } from "../crypto/primitives.ts";
import { InvalidEndpoints } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import type { Store } from "../model/store.ts";

/**
 * The key that a provider's tokens are bound to (RFC 9449), one per provider of an application. It is encrypted in the
 * store, so that every process uses the same key and refreshed tokens stay usable. Without a store, it lives as long as
 * the process.
 *
 * The key does not expire: replacing it ends every refresh token that is bound to it (RFC 9449 §5). It has an entry for each
 * configured secret, so that processes with the former secret and with the new one use the same key during a rotation. A key derived
 * from the secret would change with each rotation. A key for each user would be encrypted by the same secret in the same store.
 */

/** The owner of a key. */
export type KeyOwner = Pick<ResolvedConfig, "application" | "secrets" | "store">;

/**
 * The only algorithm that all servers with DPoP support (RFC 9449 §5.1 specifies none; FAPI 2.0 Security Profile §5.4).
 */
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" } as const;

const PURPOSE = "dpop-key";

const keys = new WeakMap<object, Map<string, Promise<CryptoKeyPair>>>();

/** The key of a provider, created on first use. Failures are not cached. */
export function dpopKeyOf(
  owner: KeyOwner,
  provider: Pick<ResolvedOAuthProvider, "id" | "clientId">,
): Promise<CryptoKeyPair> {
  const known = keys.get(owner.application) ?? new Map<string, Promise<CryptoKeyPair>>();
  keys.set(owner.application, known);
  const about = JSON.stringify([provider.id, provider.clientId]);
  const key = known.get(about) ?? loadKey(owner, about);
  known.set(about, key);
  key.catch(() => known.delete(about));
  return key;
}

async function loadKey(owner: KeyOwner, about: string): Promise<CryptoKeyPair> {
  if (owner.store === undefined) return importKey(await makeKey());
  const store = guardStore(owner.store);
  const [current, ...former] = await Promise.all(owner.secrets.map((secret) => entryOf(secret, about)));
  if (current === undefined) throw new InvalidEndpoints("Storing a DPoP key requires a secret.");
  const own = await readKey(store, current);
  if (own !== null) return importKey(own);
  const kept = (await readFirst(store, former)) ?? (await makeKey());
  // If several processes write, the first one wins.
  const isFirst = await store.set(current.name, await encryptText(kept, current.seal), { ttl: null, ifAbsent: true });
  const text = isFirst ? kept : await readKey(store, current);
  if (text === null) throw new InvalidEndpoints("The DPoP key in the store could not be decrypted. Delete its entry.");
  return importKey(text);
}

/**
 * The store entry of a key under one secret. While a new secret is rolled out, processes with only the previous secret
 * keep using their entry.
 */
interface KeyEntry {
  readonly name: string;
  readonly seal: DirectKey;
}

async function entryOf(secret: string, about: string): Promise<KeyEntry> {
  const seal = await deriveDirectKey(secret, PURPOSE, "store");
  return { name: `cardea:dpop:${await sha256(JSON.stringify([about, seal.kid]))}`, seal };
}

async function readKey(store: Store, { name, seal }: KeyEntry): Promise<string | null> {
  const found = await store.get(name);
  return found === null || !isSealedWith(found, seal) ? null : decryptText(found, seal);
}

async function readFirst(store: Store, entries: readonly KeyEntry[]): Promise<string | null> {
  for (const entry of entries) {
    const text = await readKey(store, entry);
    if (text !== null) return text;
  }
  return null;
}

/** Creates and serializes a key. */
async function makeKey(): Promise<string> {
  const { privateKey } = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  return JSON.stringify(await crypto.subtle.exportKey("jwk", privateKey));
}

/** The text was created by {@link makeKey}, as the encryption proves. The imported private key is not extractable. */
async function importKey(text: string): Promise<CryptoKeyPair> {
  const jwk: JsonWebKey = JSON.parse(text);
  const { d: _private, key_ops: _uses, ...published } = jwk;
  return {
    privateKey: await crypto.subtle.importKey("jwk", jwk, ALGORITHM, false, ["sign"]),
    publicKey: await crypto.subtle.importKey("jwk", published, ALGORITHM, true, ["verify"]),
  };
}
