import { decode } from "../crypto/jwt.ts";
import { hashAtOnce } from "../crypto/primitives.ts";
import { openClaimsText, parseCurrentClaims } from "../crypto/sealed-claims.ts";
import type { JWT } from "../model/records.ts";
import { describe, isClaims } from "./claims.ts";
import type { SessionContext } from "./strategy.ts";
import { createTokenCache, type TokenCache } from "./token-cache.ts";

/** One cache for each application, whatever configuration its function makes for a request. */
const caches = new WeakMap<object, { readonly limit: number; readonly cache: TokenCache }>();

/**
 * The claims of a session token, or null when it is not one, or over.
 *
 * 1. A `decode` of the application is called for each read: it may do more than open the token.
 * 2. Our own tokens are opened once: what they sealed is found by the hash of the token while it lasts (decisions/032). Whether the
 *    claims are current is judged at each read.
 *
 * @throws whatever an application's `decode` throws; TypeError when it returns neither claims nor null.
 */
export async function openSessionToken(context: SessionContext, token: string): Promise<JWT | null> {
  const { secrets, ...jwt } = context.config.jwt;
  const { salt } = context.cookies.sessionToken;
  if (jwt.decode !== decode) return parseDecoded(await jwt.decode({ token, secret: secrets, salt }));
  if (token === "") return null;
  const keys = { secrets, purpose: "session", salt } as const;
  const cache = cacheOf(context);
  // The salt is part of the key, so that a token counts under the name of its own cookie only.
  const hash = cache === null ? null : hashAtOnce(`${salt} ${token}`);
  const known = hash === null ? undefined : cache?.get(secrets, hash, context.now());
  if (known !== undefined) return parseCurrentClaims(known);
  const text = await openClaimsText(token, keys);
  const claims = text === null ? null : parseCurrentClaims(text);
  if (hash !== null && text !== null && claims?.exp !== undefined) {
    cache?.set(secrets, hash, text, Math.min(claims.exp, context.now() + jwt.maxAge));
  }
  return claims;
}

function cacheOf({ config }: SessionContext): TokenCache | null {
  const limit = config.jwt.tokenCache;
  if (limit === 0) return null;
  const known = caches.get(config.application);
  if (known?.limit === limit) return known.cache;
  const cache = createTokenCache(limit);
  caches.set(config.application, { limit, cache });
  return cache;
}

/** What a function of the application returned in place of ours. */
export function parseDecoded(claims: unknown): JWT | null {
  if (claims === null || isClaims(claims)) return claims;
  throw new TypeError(`it returned ${describe(claims)}; return the claims, or null`);
}
