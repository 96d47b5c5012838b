import { guardStore } from "../../application/guard-store.ts";
import { isSealedWith, openText, sealText } from "../../crypto/direct-jwe.ts";
import { deriveDirectKey } from "../../crypto/keys.ts";
import { sha256 } from "../../crypto/primitives.ts";
import { InvalidEndpoints } from "../../model/errors.ts";
import type { ResolvedOAuthProvider } from "../../model/resolved-config.ts";
import type { Store } from "../../model/store.ts";

/**
 * The key that tokens of a provider are bound to (RFC 9449): one for each provider of an application. It is kept sealed in the store, so
 * that every process proves the same key, and refreshed tokens stay usable; without a store it lives as long as the process.
 */

/** What a key belongs to. */
export interface KeyOwner {
  /** Identity of the application. */
  readonly application: object;
  readonly secrets: readonly string[];
  readonly store: Store | undefined;
}

/** The only algorithm that every server with DPoP has (RFC 9449 §5.1 names none; FAPI 2.0 Security Profile §5.4). */
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256" } as const;

const PURPOSE = "dpop-key";

const keys = new WeakMap<object, Map<string, Promise<CryptoKeyPair>>>();

/** The key of a provider; made on first use. A failure is not remembered. */
export function dpopKeyOf(owner: KeyOwner, provider: ResolvedOAuthProvider): Promise<CryptoKeyPair> {
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
  const name = `cardea:dpop:${await sha256(about)}`;
  const found = await store.get(name);
  const opened = found === null ? null : await openKey(owner, found);
  if (opened !== null) {
    // The key outlives the secret that sealed it; where another process was faster, the entry is sealed again already.
    if (opened.isFormer) await store.swap(name, found, await sealKey(owner, opened.text), { ttl: null });
    return importKey(opened.text);
  }
  const made = await makeKey();
  const sealed = await sealKey(owner, made);
  // An entry that no secret opens is replaced; of several processes that make a key, one is first.
  if (await store.swap(name, found, sealed, { ttl: null })) return importKey(made);
  const winner = await store.get(name);
  const other = winner === null ? null : await openKey(owner, winner);
  if (other !== null) return importKey(other.text);
  throw new InvalidEndpoints("The DPoP key in the store cannot be read: do all processes have the same secret?");
}

/** A new key, as text. */
async function makeKey(): Promise<string> {
  const { privateKey } = await crypto.subtle.generateKey(ALGORITHM, true, ["sign", "verify"]);
  return JSON.stringify(await crypto.subtle.exportKey("jwk", privateKey));
}

async function sealKey({ secrets }: KeyOwner, text: string): Promise<string> {
  return sealText(text, await deriveDirectKey(secrets[0] ?? "", PURPOSE, "store"));
}

interface OpenedKey {
  readonly text: string;
  /** Whether a former secret sealed it. */
  readonly isFormer: boolean;
}

async function openKey({ secrets }: KeyOwner, sealed: string): Promise<OpenedKey | null> {
  for (const [index, secret] of secrets.entries()) {
    const key = await deriveDirectKey(secret, PURPOSE, "store");
    const text = isSealedWith(sealed, key) ? await openText(sealed, key) : null;
    if (text !== null) return { text, isFormer: index > 0 };
  }
  return null;
}

/** The text was made by {@link makeKey}, which its seal proves. The private key never leaves the process again. */
async function importKey(text: string): Promise<CryptoKeyPair> {
  const jwk: JsonWebKey = JSON.parse(text);
  const { d: _private, key_ops: _uses, ...published } = jwk;
  return {
    privateKey: await crypto.subtle.importKey("jwk", jwk, ALGORITHM, false, ["sign"]),
    publicKey: await crypto.subtle.importKey("jwk", published, ALGORITHM, true, ["verify"]),
  };
}
