import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { type DirectKey, decryptText, type SealingKeys } from "../crypto/direct-jwe.ts";
import { hashAtOnce } from "../crypto/primitives.ts";
import { decryptForeignText, findKey, isCurrent, parseClaims } from "../crypto/sealed-claims.ts";
import type { JWTDecodeParams } from "../model/config.ts";
import type { FlowContext } from "../model/context.ts";
import type { JWT } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { EpochSeconds } from "../model/units.ts";
import { hasSealedForm } from "../protocol/session-token.ts";
import { type OpenedToken, takeOutFacts } from "./check-found.ts";
import { describe, isClaims } from "./claims.ts";

/** The cached content of a token: its claims, or their text if a reader could modify them. */
type Kept = OpenedToken | string;

/** The cache of an application, and the settings that it was filled with. */
interface KeptCache {
  readonly limit: number;
  readonly secrets: readonly string[];
  readonly cache: TokenCache<Kept>;
}

/** One per application, even if a configuration function creates a configuration per request. */
const caches = new WeakMap<object, KeptCache>();

/** What a token contains. `ended`: one of our secrets made it, and it has expired; null: none of them made it. */
export type DecryptedToken = OpenedToken | "ended" | null;

/** The keys for decrypting an application's session tokens. */
type Keys = SealingKeys & { readonly purpose: "session" };

/**
 * The claims of a session token.
 *
 * 1. The application's `decode`, if any, is called for each read, because it may do more than decrypt the token.
 * 2. Our own tokens are decrypted once. Afterwards the content is found by the hash of the token until it expires
 *    (decisions/032). Each read checks whether the claims are current.
 * 3. A token in another format is decrypted if it looks like an encrypted one.
 * 4. One request decrypts each of its tokens once, so that forgeries are neither cached nor decrypted again.
 *
 * @throws errors of the application's `decode`, also after a timeout of thirty seconds; TypeError if it returns neither
 * claims nor null.
 */
export async function decryptSessionToken(context: FlowContext, token: string): Promise<DecryptedToken> {
  const { secrets, decode } = context.config.jwt;
  const { salt } = context.cookies.sessionToken;
  if (decode !== undefined) return decryptByApplication(decode, { token, secret: secrets, salt });
  for (const before of context.tried.opened) if (before.token === token) return parseToken(await before.text);
  const keys: Keys = { secrets, purpose: "session", salt };
  const key = await findKey(token, keys);
  // Tokens that are not encrypted are neither hashed nor decrypted.
  return key !== null || hasSealedForm(token) ? decryptOnce(context, token, keys, key) : null;
}

async function decryptByApplication(
  decode: NonNullable<ResolvedConfig["jwt"]["decode"]>,
  params: JWTDecodeParams,
): Promise<DecryptedToken> {
  const claims = parseDecoded(await withTimeout(APPLICATION_TIMEOUT_MS, decode(params)));
  return claims && takeOutFacts(claims);
}

function parseToken(text: string | null): DecryptedToken {
  const claims = parseClaims(text);
  if (claims === null) return null;
  return isCurrent(claims) ? takeOutFacts(claims) : outdated(claims);
}

/** Claims that are not current were so once, or are from a server whose clock is far ahead. */
function outdated({ exp }: JWT): DecryptedToken {
  return Number.isSafeInteger(exp) && Number(exp) > 0 && Number(exp) * 1000 < Date.now() ? "ended" : null;
}

/** Longer tokens, in several cookies, are decrypted each time, because hashing takes nearly as long. */
const MAX_CACHED_LENGTH = 4096;

/** The salt is part of the key and of the hash, so that a token is valid only under the name of its own cookie. */
async function decryptOnce(
  context: FlowContext,
  token: string,
  keys: Keys,
  key: DirectKey | null,
): Promise<DecryptedToken> {
  const { config, tried } = context;
  const { maxAge } = config.jwt;
  const found = token.length > MAX_CACHED_LENGTH ? null : cacheOf(config);
  const cache = found?.isUseful() === true ? found : null;
  const hash = cache === null ? null : hashAtOnce(`${keys.salt} ${token}`);
  const known = hash === null ? undefined : cache?.get(hash, context.now());
  if (known !== undefined) return typeof known === "string" ? parseToken(known) : currentCopy(known);
  const text = key === null ? decryptForeignText(token, keys) : decryptText(token, key);
  tried.opened.push({ token, text });
  const sealed = await text;
  const opened = parseToken(sealed);
  if (cache === null || hash === null || sealed === null || opened === null || opened === "ended") return opened;
  if (opened.claims.exp === undefined || !cache.admits(hash)) return opened;
  const until = Math.min(opened.claims.exp, context.now() + maxAge);
  if (config.jwt.encode !== undefined || !isFlat(opened.claims)) {
    cache.set(hash, sealed, bytesOf(sealed), until);
    return opened;
  }
  cache.set(hash, opened, bytesOf(sealed) + PARSED_BYTES, until);
  return currentCopy(opened);
}

/** Memory of parsed claims and facts beyond their text; measured with 64-bit pointers. */
const PARSED_BYTES = 300;

/**
 * Whether a shallow copy of the claims shares no mutable value. Facts are not modified here, but the application's
 * `encode` could modify them.
 */
function isFlat(claims: JWT): boolean {
  return Object.values(claims).every((value) => typeof value !== "object" || value === null);
}

function currentCopy({ claims, facts }: OpenedToken): DecryptedToken {
  return isCurrent(claims) ? { claims: { ...claims }, facts } : outdated(claims);
}

/** With other secrets, an empty one: a secret that was removed decrypts nothing from that moment. */
function cacheOf({ application, jwt }: ResolvedConfig): TokenCache<Kept> | null {
  const { tokenCache: limit, secrets } = jwt;
  // Nothing fits into the cache, so do not hash.
  if (limit < ENTRY_BYTES) return null;
  const known = caches.get(application);
  if (known?.limit === limit && isSameList(known.secrets, secrets)) return known.cache;
  const cache = createTokenCache<Kept>(limit);
  caches.set(application, { limit, secrets, cache });
  return cache;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one === other || (one.length === other.length && one.every((text, n) => text === other[n]));
}

/** Validates the result of the application's `decode`. */
function parseDecoded(claims: unknown): JWT | null {
  if (claims === null || isClaims(claims)) return claims;
  throw new TypeError(`it returned ${describe(claims)}; return the claims, or null`);
}

/** A cache entry for one session token. */
interface Entry<T> {
  readonly value: T;
  /** Expiry of the entry. */
  readonly until: EpochSeconds;
  readonly bytes: number;
}

/** A bounded cache of the content of session tokens (decisions/032). */
export interface TokenCache<T> {
  /** The content of the token with this hash; undefined if it is not cached or has expired. */
  get(hash: string, now: EpochSeconds): T | undefined;
  /** @param size Size of the value in bytes. */
  set(hash: string, value: T, size: number, until: EpochSeconds): void;
  /** Whether tokens are found often enough to be worth hashing. To be asked once for each read. */
  isUseful(): boolean;
  /** Whether a token that was not found may be added. */
  admits(hash: string): boolean;
  /** Bytes that count towards the limit, and the number of entries. */
  readonly size: { readonly bytes: number; readonly entries: number };
}

/**
 * Memory of an entry in V8 besides its value: the hash, an object, two numbers, a map slot; measured with 64-bit
 * pointers.
 */
export const ENTRY_BYTES = 280;

/** Reads after which the cache is judged. */
const PERIOD = 1_000;

/** A string takes one byte per character if all are below U+0100, otherwise two. */
export const bytesOf = (text: string): number => text.length * (/^[\0-\xff]*$/.test(text) ? 1 : 2);

/**
 * Creates an empty cache.
 *
 * 1. An expired entry is removed when it is requested.
 * 2. Over the limit, the entries used longest ago are removed first; a value larger than the limit is not cached.
 * 3. A full cache admits a token only at its second read: others would displace what is read again.
 * 4. If less than a third of 1,000 reads found their token, there are more active sessions than fit. The next 10,000 reads do not
 *    look, so that hashing costs a tenth of the reads at most.
 *
 * @param limit Total size of all entries in bytes.
 */
export function createTokenCache<T>(limit: number): TokenCache<T> {
  const entries = new Map<string, Entry<T>>();
  const seen = new Set<string>();
  let bytes = 0;
  let [asked, hits, skipped] = [0, 0, 0];
  const isFull = () => bytes + ENTRY_BYTES + PARSED_BYTES > limit;
  const count = (isHit: boolean) => {
    asked += 1;
    if (isHit) hits += 1;
    if (asked < PERIOD) return;
    skipped = hits * 3 < asked ? 10 * PERIOD : 0;
    [asked, hits] = [0, 0];
  };
  const forget = (hash: string, entry: Entry<T>) => {
    bytes -= entry.bytes;
    entries.delete(hash);
  };
  return {
    get: (hash, now) => {
      const entry = entries.get(hash);
      count(entry !== undefined);
      if (entry === undefined) return undefined;
      if (entry.until > now) {
        if (isFull()) {
          entries.delete(hash);
          entries.set(hash, entry);
        }
        return entry.value;
      }
      forget(hash, entry);
      return undefined;
    },
    isUseful: () => skipped === 0 || --skipped === 0,
    admits: (hash) => {
      if (!isFull() || seen.delete(hash)) return true;
      seen.add(hash);
      const [oldest] = seen.size > 2 * entries.size ? seen : [];
      if (oldest !== undefined) seen.delete(oldest);
      return false;
    },
    set: (hash, value, size, until) => {
      const entry = { value, until, bytes: ENTRY_BYTES + size };
      const former = entries.get(hash);
      if (former !== undefined) forget(hash, former);
      if (entry.bytes > limit) return;
      entries.set(hash, entry);
      bytes += entry.bytes;
      for (const [oldest, gone] of entries) {
        if (bytes <= limit) return;
        forget(oldest, gone);
      }
    },
    get size() {
      return { bytes, entries: entries.size };
    },
  };
}
