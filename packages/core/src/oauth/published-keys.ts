import type { AuthorizationServer } from "oauth4webapi";
import * as oauth from "oauth4webapi";
import { decodeBase64url } from "../crypto/primitives.ts";
import { InvalidEndpoints, OAuthCallbackError } from "../model/errors.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import { type Attempts, createAttempts } from "./attempts.ts";
import { forgetKeys, requestOptions } from "./find-server.ts";
import { isObject } from "./guarded-fetch.ts";

/** Maximum length of a remembered key id. */
const MAX_KEY_ID = 256;

/** Failed key requests per minute after which no more are made, because anyone can send a token that triggers one. */
const MAX_FAILURES = 3;

/** Keyed by the server object, as in oauth4webapi. When keys are dropped, or after an hour, a new object is used. */
const fetched = new WeakMap<AuthorizationServer, Promise<readonly object[]>>();

/** Keyed by `fetch`, so that two configurations that reach the network differently never share failures. */
const failures = new WeakMap<typeof fetch, Attempts>();
let calls = 0;

/**
 * The published keys of a server (RFC 7517 §5), requested once for all tokens.
 *
 * @throws InvalidEndpoints if the server publishes none; OAuthCallbackError if they could not be read.
 */
export function publishedKeys(
  server: AuthorizationServer,
  provider: ResolvedOAuthProvider,
): Promise<readonly object[]> {
  const known = fetched.get(server);
  if (known !== undefined) return known;
  const pending = requestKeys(server, provider);
  fetched.set(server, pending);
  pending.catch(() => fetched.delete(server));
  return pending;
}

async function requestKeys(
  { jwks_uri }: AuthorizationServer,
  provider: ResolvedOAuthProvider,
): Promise<readonly object[]> {
  const cause = { provider: provider.id };
  if (jwks_uri === undefined) throw new InvalidEndpoints(`Provider "${provider.id}" has no \`jwks_uri\`.`, { cause });
  const failed = failuresOf(provider);
  const call = `call ${++calls}`;
  if (!failed.allows(jwks_uri, call)) throw unreadable(provider);
  failed.note(jwks_uri, call);
  const { [oauth.customFetch]: send } = requestOptions(provider, jwks_uri);
  const answer = await send(jwks_uri, { headers: { accept: "application/json, application/jwk-set+json" } });
  const body: unknown = answer.status === 200 ? await answer.json() : null;
  const keys: unknown = isObject(body) ? body.keys : undefined;
  if (!Array.isArray(keys) || !keys.every(isObject)) throw unreadable(provider);
  failed.forgive(jwks_uri, call);
  return keys;
}

function unreadable({ id }: ResolvedOAuthProvider): OAuthCallbackError {
  return new OAuthCallbackError(`The keys of provider "${id}" could not be read.`, { cause: { provider: id } });
}

function failuresOf(provider: ResolvedOAuthProvider): Attempts {
  const fetchFunction = provider.fetch();
  const found = failures.get(fetchFunction) ?? createAttempts(MAX_FAILURES);
  failures.set(fetchFunction, found);
  return found;
}

/**
 * Requires that the JWT in a response was signed with a published key of the server.
 *
 * @param answer Response with an ID token or signed userinfo, already processed by oauth4webapi.
 * @param token The JWT, if known. Its key id distinguishes a rotation from a token that is rejected repeatedly.
 * @returns the published keys, among which is that of the JWT.
 * @throws errors of oauth4webapi.
 */
export async function requirePublishedKey(
  server: AuthorizationServer,
  provider: ResolvedOAuthProvider,
  answer: Response,
  token = "",
): Promise<readonly oauth.JWK[]> {
  try {
    return await verifyWith(server, provider, answer);
  } catch (error) {
    const isKeyMissing = error instanceof oauth.OperationProcessingError && error.code === oauth.KEY_SELECTION;
    if (!isKeyMissing) throw error;
    // The provider may have rotated its keys since they were fetched: retry once, then reject.
    const again = forgetKeys(provider, server, keyIdOf(token));
    if (again === null) throw error;
    const keys = await verifyWith(again.server, provider, answer);
    again.found();
    return keys;
  }
}

/** What oauth4webapi has fetched, and the last keys of it: it empties its cache before it fetches them again. */
interface Fetched {
  readonly cache: oauth.JWKSCacheInput;
  keys: readonly oauth.JWK[];
}

/** Keyed by the server object, as in oauth4webapi. */
const ofResponses = new WeakMap<AuthorizationServer, Fetched>();

async function verifyWith(server: AuthorizationServer, provider: ResolvedOAuthProvider, answer: Response) {
  const entry: Fetched = ofResponses.get(server) ?? { cache: {}, keys: [] };
  ofResponses.set(server, entry);
  const options = { ...requestOptions(provider, server.jwks_uri), [oauth.jwksCache]: entry.cache };
  await oauth.validateApplicationLevelSignature(server, answer, options);
  if ("jwks" in entry.cache) entry.keys = entry.cache.jwks.keys;
  return entry.keys;
}

/** The key id of a JWT whose header was read before; empty for none. */
function keyIdOf(token: string): string {
  const header = decodeBase64url(token.split(".")[0] ?? "");
  if (header === null || header.length === 0) return "";
  const { kid } = Object(JSON.parse(new TextDecoder().decode(header)));
  return typeof kid === "string" ? kid.slice(0, MAX_KEY_ID) : "";
}
