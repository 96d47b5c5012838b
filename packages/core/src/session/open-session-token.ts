import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { openText } from "../crypto/direct-jwe.ts";
import type { SealingKeys } from "../crypto/keys.ts";
import { hashAtOnce } from "../crypto/primitives.ts";
import { findKey, openForeignText, parseCurrentClaims } from "../crypto/sealed-claims.ts";
import type { JWTDecodeParams } from "../model/config.ts";
import type { JWT } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { whenThere } from "../model/when-there.ts";
import { hasSealedForm } from "../protocol/sealed-form.ts";
import { describe, isClaims } from "./claims.ts";
import type { SessionContext } from "./strategy.ts";
import { createTokenCache, ENTRY_BYTES, type TokenCache } from "./token-cache.ts";

/** One cache for each application, whatever configuration its function makes for a request. */
const caches = new WeakMap<object, { readonly limit: number; readonly cache: TokenCache }>();

/** What the tokens of one application's sessions are opened with. */
type Keys = SealingKeys & { readonly purpose: "session" };

/**
 * The claims of a session token, or null when it is not one, or over.
 *
 * 1. A `decode` of the application is called for each read: it may do more than open the token.
 * 2. Our own tokens are opened once: what they sealed is found by the hash of the token while it lasts (decisions/032). Whether the
 *    claims are current is judged at each read.
 * 3. A token in another form is opened if it has that of a sealed one, and a few of them for each request.
 *
 * @returns a promise where the claims are not there at once.
 * @throws whatever an application's `decode` throws, also after thirty seconds; TypeError when it returns neither claims nor null.
 */
export function openSessionToken(context: SessionContext, token: string): Promise<JWT | null> | JWT | null {
  const { secrets, decode } = context.config.jwt;
  const { salt } = context.cookies.sessionToken;
  if (decode !== undefined) return openByApplication(decode, { token, secret: secrets, salt });
  const before = context.tried.opened.find((one) => one.token === token);
  if (before !== undefined) return whenThere(before.text, parseCurrentClaims);
  const keys: Keys = { secrets, purpose: "session", salt };
  return whenThere(findKey(token, keys), (key) => {
    if (key !== null) return openOnce(context, token, salt, () => openText(token, key));
    // What was not sealed is neither hashed nor opened.
    return hasSealedForm(token) ? openOnce(context, token, salt, () => openForeign(context, token, keys)) : null;
  });
}

async function openByApplication(
  decode: NonNullable<ResolvedConfig["jwt"]["decode"]>,
  params: JWTDecodeParams,
): Promise<JWT | null> {
  return parseDecoded(await withTimeout(APPLICATION_TIMEOUT_MS, decode(params)));
}

/** A server that shares the secret sends one such token; others are forgeries, and cost more than our own form. */
const MAX_FOREIGN = 4;

function openForeign({ tried }: SessionContext, token: string, keys: Keys): Promise<string | null> | null {
  tried.foreign += 1;
  return tried.foreign > MAX_FOREIGN ? null : openForeignText(token, keys);
}

/** Longer tokens, of several cookies, are opened each time: hashing one takes nearly as long. */
const MAX_CACHED_LENGTH = 4096;

/** The salt is part of the key of a token and of the hash, so that a token counts under the name of its own cookie only. */
function openOnce(
  context: SessionContext,
  token: string,
  salt: string,
  open: () => Promise<string | null> | string | null,
): Promise<JWT | null> | JWT | null {
  const { config, tried } = context;
  const { secrets, maxAge } = config.jwt;
  const cache = token.length > MAX_CACHED_LENGTH ? null : cacheOf(config);
  const hash = cache === null ? null : hashAtOnce(`${salt} ${token}`);
  const known = hash === null ? undefined : cache?.get(secrets, hash, context.now());
  if (known !== undefined) return parseCurrentClaims(known);
  const text = open();
  tried.opened.push({ token, text });
  return whenThere(text, (opened) => {
    const claims = parseCurrentClaims(opened);
    if (hash !== null && opened !== null && claims?.exp !== undefined)
      cache?.set(secrets, hash, opened, Math.min(claims.exp, context.now() + maxAge));
    return claims;
  });
}

function cacheOf(config: ResolvedConfig): TokenCache | null {
  const limit = config.jwt.tokenCache;
  // Nothing fits: what would not be found is not hashed.
  if (limit < ENTRY_BYTES) return null;
  const known = caches.get(config.application);
  if (known?.limit === limit) return known.cache;
  const cache = createTokenCache(limit);
  caches.set(config.application, { limit, cache });
  return cache;
}

/** What a function of the application returned in place of ours. */
function parseDecoded(claims: unknown): JWT | null {
  if (claims === null || isClaims(claims)) return claims;
  throw new TypeError(`it returned ${describe(claims)}; return the claims, or null`);
}
