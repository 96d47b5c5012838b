import type { AuthorizationServer } from "oauth4webapi";
import * as oauth from "oauth4webapi";
import { InvalidEndpoints, OAuthCallbackError } from "../../model/errors.ts";
import type { ResolvedOAuthProvider } from "../../model/resolved-provider.ts";
import { type Attempts, createAttempts } from "./attempts.ts";
import { isObject } from "./exchange-code.ts";
import { requestOptions } from "./find-server.ts";

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
