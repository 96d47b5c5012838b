import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { hashAtOnce } from "../crypto/primitives.ts";
import { isOwnForm, openClaimsText, parseCurrentClaims } from "../crypto/sealed-claims.ts";
import type { JWT } from "../model/records.ts";
import { hasSealedForm } from "../protocol/sealed-form.ts";
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
 * @throws whatever an application's `decode` throws, also after thirty seconds; TypeError when it returns neither claims nor null.
 */
export async function openSessionToken(context: SessionContext, token: string): Promise<JWT | null> {
  const { secrets, ...jwt } = context.config.jwt;
  const { salt } = context.cookies.sessionToken;
  if (jwt.decode !== undefined) {
    return parseDecoded(await withTimeout(APPLICATION_TIMEOUT_MS, jwt.decode({ token, secret: secrets, salt })));
  }
  // What was not sealed is neither hashed nor opened.
  if (!hasSealedForm(token)) return null;
  const { opened } = triedIn(context);
  const before = opened.find((one) => one.token === token);
  const text = before?.text ?? openOnce(context, token);
  if (before === undefined) opened.push({ token, text });
  const known = await text;
  return known === null ? null : parseCurrentClaims(known);
}

/** What the tokens of one request sealed: its parts ask several times, and a forgery is not remembered any longer. */
interface Tried {
  readonly opened: { readonly token: string; readonly text: Promise<string | null> }[];
  /** Tokens in other forms than ours that were opened. */
  foreign: number;
}

/** A server that shares the secret sends one such token; others are forgeries, and cost more than our own form. */
const MAX_FOREIGN = 4;

const requests = new WeakMap<object, Tried>();

function triedIn({ received }: SessionContext): Tried {
  const tried = requests.get(received) ?? { opened: [], foreign: 0 };
  requests.set(received, tried);
  return tried;
}

async function openOnce(context: SessionContext, token: string): Promise<string | null> {
  const { secrets, maxAge } = context.config.jwt;
  const { salt } = context.cookies.sessionToken;
  const keys = { secrets, purpose: "session", salt } as const;
  const cache = cacheOf(context);
  // The salt is part of the key, so that a token counts under the name of its own cookie only.
  const hash = cache === null ? null : hashAtOnce(`${salt} ${token}`);
  const known = hash === null ? undefined : cache?.get(secrets, hash, context.now());
  if (known !== undefined) return known;
  if (!(await isOwnForm(token, keys)) && ++triedIn(context).foreign > MAX_FOREIGN) return null;
  const text = await openClaimsText(token, keys);
  const claims = text === null ? null : parseCurrentClaims(text);
  if (hash !== null && text !== null && claims?.exp !== undefined) {
    cache?.set(secrets, hash, text, Math.min(claims.exp, context.now() + maxAge));
  }
  return text;
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
function parseDecoded(claims: unknown): JWT | null {
  if (claims === null || isClaims(claims)) return claims;
  throw new TypeError(`it returned ${describe(claims)}; return the claims, or null`);
}
