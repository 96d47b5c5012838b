import * as oauth from "oauth4webapi";
import { InvalidEndpoints } from "../model/errors.ts";
import { keepRecent } from "../model/recent.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import { tenantIssuerOf } from "../protocol/id-token.ts";
import { checkReach } from "../protocol/provider-reach.ts";
import { findRepeatedMember, isJsonObject } from "../protocol/received-json.ts";
import {
  type GuardedFetch,
  guardFetch,
  jsonOf,
  MAX_REDIRECTS,
  requireReach,
  textOf,
  withBody,
} from "./guarded-fetch.ts";

/**
 * Metadata of authorization servers. It is fetched once per hour and server, however many sign-ins need it at once. An
 * expired copy is used for a day while the server is unreachable, with a retry once a minute. Without a copy, a failing
 * server is requested {@link MAX_FAILURES} times in a minute.
 */

/** How long metadata is fresh, in milliseconds. */
const FRESH_MS = 60 * 60 * 1000;

/** How long expired metadata is used if it cannot be refreshed, in milliseconds. */
const STALE_MS = 24 * 60 * 60 * 1000;

/** How long an expired copy is used without a retry after a failed refresh, so that sign-ins do not wait for a server that is down. */
const RETRY_MS = 60 * 1000;

/** Failures in a minute after which metadata is not requested again: enough to recover quickly, too few to amplify. */
const MAX_FAILURES = 3;

/** How many unknown keys are requested in a minute, each once: an invented key id leaves room for a real rotation. */
const MAX_MISSED_KEYS = 2;

/** Maximum length of a remembered key id. */
const MAX_KEY_ID = 256;

/** How many servers are cached for one `fetch`, and have their failures counted. */
const MAX_SERVERS = 100;

/** The issuer of an OAuth 2 provider without one; never equals a real issuer. */
export const UNKNOWN_ISSUER = "https://issuer.invalid";

interface Entry {
  /** oauth4webapi caches a server's keys by the identity of this object. */
  server: oauth.AuthorizationServer;
  readonly fetchedAt: number;
  /** The time of the next request to the server. */
  retryAt: number;
}

interface ServerCache {
  readonly known: Map<string, Entry>;
  readonly pending: Map<string, Promise<Entry>>;
  /** The last failure of a server without cached metadata. */
  readonly failures: Map<string, unknown>;
  readonly failed: Attempts;
  readonly missedKeys: Attempts;
  readonly failedKeys: Attempts;
  /** One for all calls: oauth4webapi shares a request for keys between sign-ins only if they have the same `fetch`. */
  readonly guarded: GuardedFetch;
  /** The same, for calls that may be redirected. */
  readonly following: GuardedFetch;
}

/** Keyed by `fetch`, so that two configurations that reach the network differently never share cached data. */
const caches = new WeakMap<typeof fetch, ServerCache>();

/**
 * The authorization server of a provider: configured values, and discovered values for the rest.
 *
 * @throws InvalidEndpoints if an endpoint is neither configured nor discovered, or must not be used.
 * @throws errors of oauth4webapi if the metadata cannot be fetched.
 */
export async function findServer(provider: ResolvedOAuthProvider): Promise<oauth.AuthorizationServer> {
  const cache = cacheOf(provider);
  const id = cacheKey(provider);
  const known = cache.known.get(id);
  const age = known === undefined ? Number.POSITIVE_INFINITY : Date.now() - known.fetchedAt;
  const isUsable = known !== undefined && age < STALE_MS;
  if (isUsable && ((age >= 0 && age < FRESH_MS) || Date.now() < known.retryAt)) return known.server;
  const failure = Symbol("failure");
  if (!isUsable && !cache.pending.has(id) && !cache.failed.allows(id, failure)) {
    throw (
      cache.failures.get(id) ?? new InvalidEndpoints(`The metadata of provider "${provider.id}" could not be read.`)
    );
  }
  try {
    const entry = await (cache.pending.get(id) ?? load(provider, cache, id, failure));
    return entry.server;
  } catch (error) {
    if (!isUsable) throw error;
    known.retryAt = Date.now() + RETRY_MS;
    return known.server;
  }
}

/** A second request for a key. */
interface SecondLook {
  /** The server whose keys to request. */
  readonly server: oauth.AuthorizationServer;
  /** To be called if the key was found: the request then does not count as failed. */
  readonly found: () => void;
}

/**
 * Drops the cached keys of a server, for the one retry after a key was not found (OIDC Core §10.1.1). If another sign-in
 * has done so in the meantime, its newer keys are used: rotated keys are fetched once, however many sign-ins miss them.
 *
 * @param keyId the `kid` of a JWT; anything but a text counts as none.
 * @returns null if this key, or too many others, were requested without success within a minute.
 */
export function forgetKeys(
  provider: ResolvedOAuthProvider,
  server: oauth.AuthorizationServer,
  keyId: unknown,
): SecondLook | null {
  const { known, missedKeys } = cacheOf(provider);
  const id = cacheKey(provider);
  const kid = typeof keyId === "string" ? keyId.slice(0, MAX_KEY_ID) : "";
  const found = () => missedKeys.forgive(id, kid);
  const entry = known.get(id);
  if (entry !== undefined && entry.server !== server) return { server: entry.server, found };
  if (!missedKeys.allows(id, kid)) return null;
  missedKeys.note(id, kid);
  const fresh = { ...server };
  if (entry !== undefined) entry.server = fresh;
  return { server: fresh, found };
}

/**
 * Options of an oauth4webapi call to one URL of a provider.
 *
 * @param call whether it is one that may be redirected: for metadata or userinfo.
 * @throws InvalidEndpoints if the URL must not be requested.
 */
export function requestOptions(provider: ResolvedOAuthProvider, url: string | undefined, call?: "redirected") {
  if (url !== undefined) requireReach(provider, url);
  const { guarded, following } = cacheOf(provider);
  return {
    [oauth.customFetch]: call === "redirected" ? following : guarded,
    [oauth.allowInsecureRequests]: url !== undefined && new URL(url).protocol === "http:",
  };
}

/** Failed requests for the keys of servers: anyone can send a token that triggers one. */
export function failedKeysOf(provider: ResolvedOAuthProvider): Attempts {
  return cacheOf(provider).failedKeys;
}

function cacheOf(provider: ResolvedOAuthProvider): ServerCache {
  const fetchFunction = provider.fetch();
  const cached = caches.get(fetchFunction);
  if (cached !== undefined) return cached;
  const cache = {
    known: new Map(),
    pending: new Map(),
    failures: new Map(),
    failed: createAttempts(MAX_FAILURES),
    missedKeys: createAttempts(MAX_MISSED_KEYS),
    failedKeys: createAttempts(MAX_FAILURES),
    guarded: guardFetch(fetchFunction),
    following: guardFetch(fetchFunction, MAX_REDIRECTS),
  };
  caches.set(fetchFunction, cache);
  return cache;
}

function configuredEndpoints(provider: ResolvedOAuthProvider): Partial<oauth.AuthorizationServer> {
  const { authorization, token, userinfo, jwksUri } = provider;
  return {
    ...(authorization.url === undefined ? {} : { authorization_endpoint: authorization.url }),
    ...(token.url === undefined ? {} : { token_endpoint: token.url }),
    ...(userinfo.url === undefined ? {} : { userinfo_endpoint: userinfo.url }),
    ...(jwksUri === undefined ? {} : { jwks_uri: jwksUri }),
  };
}

function cacheKey(provider: ResolvedOAuthProvider): string {
  const { type, issuer, wellKnown, authorization, token, userinfo, jwksUri, insecureOrigins } = provider;
  const endpoints = [authorization.url, token.url, userinfo.url, jwksUri];
  return JSON.stringify([type, issuer, wellKnown, ...endpoints, insecureOrigins]);
}

function load(provider: ResolvedOAuthProvider, cache: ServerCache, id: string, failure: symbol): Promise<Entry> {
  cache.failed.note(id, failure);
  const pending = requestServer(provider)
    .then((server) => {
      const entry = { server, fetchedAt: Date.now(), retryAt: 0 };
      keepRecent(cache.known, id, entry, MAX_SERVERS);
      cache.failed.forgive(id, failure);
      cache.failures.delete(id);
      return entry;
    })
    .catch((error: unknown) => {
      keepRecent(cache.failures, id, error, MAX_SERVERS);
      throw error;
    })
    .finally(() => cache.pending.delete(id));
  cache.pending.set(id, pending);
  return pending;
}

async function requestServer(provider: ResolvedOAuthProvider): Promise<oauth.AuthorizationServer> {
  const { issuer } = provider;
  const own = configuredEndpoints(provider);
  const { authorization_endpoint, token_endpoint, jwks_uri } = own;
  const complete = authorization_endpoint && token_endpoint && (provider.type === "oauth" || jwks_uri);
  const isDiscovered = !complete && issuer !== undefined;
  const base = isDiscovered ? await discover(provider, issuer) : { issuer: issuer ?? UNKNOWN_ISSUER };
  const server = { ...admitMetadata(provider, base, Object.keys(own)), ...own };
  for (const endpoint of ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"] as const) {
    requireEndpoint(provider, endpoint, server[endpoint]);
  }
  return server;
}

function requireEndpoint(provider: ResolvedOAuthProvider, name: string, url: unknown): void {
  const optional = name === "userinfo_endpoint" || (name === "jwks_uri" && provider.type === "oauth");
  if (url === undefined && optional) return;
  if (typeof url !== "string") {
    throw new InvalidEndpoints(
      `Provider "${provider.id}" has no ${name}. Configure it, or set \`issuer\` to an issuer whose discovery document contains it.`,
      { cause: { provider: provider.id, issuer: provider.issuer } },
    );
  }
}

/** Endpoints without which a sign-in, or its protection, would silently be another one. */
const NEEDED = [
  ...["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"],
  "pushed_authorization_request_endpoint",
];

/**
 * Metadata without the endpoints that they must not name (see {@link checkReach}): everything that is requested, or to which a browser
 * is redirected, passes here.
 *
 * @param configured names of endpoints that the configuration replaces.
 * @throws InvalidEndpoints if a sign-in needs such an endpoint.
 */
function admitMetadata(
  provider: ResolvedOAuthProvider,
  metadata: oauth.AuthorizationServer,
  configured: readonly string[],
): oauth.AuthorizationServer {
  const { mtls_endpoint_aliases: aliases, ...named } = metadata;
  const refused = Object.entries(named).flatMap(([name, url]) => {
    const fault = /_(?:endpoint|uri|iframe)$/.test(name) ? checkReach(provider, url, "metadata") : null;
    return fault === null || configured.includes(name) ? [] : [{ name, url, fault }];
  });
  const fatal = refused.find(({ name }) => NEEDED.includes(name));
  if (fatal !== undefined) {
    const { name, url, fault } = fatal;
    const message = `The metadata of provider "${provider.id}" contain a \`${name}\` that must not be used: ${fault}.`;
    throw new InvalidEndpoints(message, { cause: { provider: provider.id, endpoint: name, url } });
  }
  const admitted = Object.entries(named).filter(([name]) => !refused.some((one) => one.name === name));
  const areSafe = Object.values(Object(aliases)).every((url) => checkReach(provider, url, "metadata") === null);
  const kept = aliases !== undefined && areSafe ? { mtls_endpoint_aliases: aliases } : {};
  return { ...Object.fromEntries(admitted), issuer: metadata.issuer, ...kept };
}

/** The issuer in the metadata of a multi-tenant server is a template; `idTokenIssuer` determines which tokens it issues. `wellKnown` may be of one tenant. */
async function withoutTenants(provider: ResolvedOAuthProvider, issuer: string, response: Response): Promise<Response> {
  const document = await jsonOf(response);
  if (tenantIssuerOf(provider) === undefined || response.status !== 200 || !isJsonObject(document)) return response;
  const isOfOneTenant = provider.wellKnown !== undefined && !String(document.issuer).includes("{");
  return isOfOneTenant ? response : withBody(response, { ...document, issuer });
}

/**
 * What is wrong with an issuer that is not the expected one. It is compared exactly, before oauth4webapi does, whose messages contain
 * neither value (decisions/004). It contains text of others: in the log it is a cause, which is redacted.
 *
 * @returns null if they are equal, or if there is none: oauth4webapi decides whether it may be missing.
 */
export function findIssuerMismatch(
  { id }: ResolvedOAuthProvider,
  expected: string,
  received: unknown,
  source: "discovery document" | "authorization response" | "ID token",
): string | null {
  if (typeof received !== "string" || received === expected) return null;
  return `The issuer of provider "${id}" must be "${expected}", but its ${source} contains "${received}". If that is this provider, set \`issuer\` so that both are equal, including a slash at the end.`;
}

async function requireIssuer(provider: ResolvedOAuthProvider, issuer: string, response: Response): Promise<void> {
  const document = response.status === 200 ? await jsonOf(response) : null;
  const mismatch = findIssuerMismatch(provider, issuer, Object(document).issuer, "discovery document");
  if (mismatch !== null) throw new InvalidEndpoints(mismatch, { cause: { provider: provider.id } });
}

/** Of two members with the same name this parser uses the last and another the first: such metadata is ambiguous (RFC 8259 §4). */
function rejectRepeatedMember(provider: ResolvedOAuthProvider, metadata: string): void {
  const repeated = findRepeatedMember(metadata);
  if (repeated === null) return;
  throw new InvalidEndpoints(`The metadata of provider "${provider.id}" contains a duplicate member.`, {
    cause: { provider: provider.id, member: repeated },
  });
}

/** OIDC Discovery §4: the document is below the issuer, and its issuer is exactly the configured one (§4.3). */
async function discover(provider: ResolvedOAuthProvider, issuer: string): Promise<oauth.AuthorizationServer> {
  const { wellKnown } = provider;
  const named =
    wellKnown === undefined
      ? undefined
      : await requestOptions(provider, wellKnown, "redirected")[oauth.customFetch](wellKnown, {
          headers: { accept: "application/json" },
        });
  // Auth.js v5 ignores `wellKnown`: for some of its providers, an issuer that works there results in a wrong URL.
  const response =
    named?.status === 200
      ? named
      : await oauth.discoveryRequest(new URL(issuer), requestOptions(provider, issuer, "redirected"));
  rejectRepeatedMember(provider, await textOf(response));
  const document = await withoutTenants(provider, issuer, response);
  await requireIssuer(provider, issuer, document);
  return oauth.processDiscoveryResponse(new URL(issuer), document);
}

/** How long a failed call counts, in milliseconds. */
const WINDOW_MS = 60 * 1000;

/**
 * Failed calls of one kind, which any visitor can trigger by signing in. They are counted per server to prevent amplification: after a few
 * per minute, the provider is not called again.
 */
interface Attempts {
  /** Whether another call may be made for `subject`; never two for one subject within a minute. */
  readonly allows: (server: string, subject: unknown) => boolean;
  /** Records a call before it is made, so that concurrent calls count too. */
  readonly note: (server: string, subject: unknown) => void;
  /** Removes a record after a successful call. */
  readonly forgive: (server: string, subject: unknown) => void;
}

/** @param max failed calls for one server within a minute. */
function createAttempts(max: number): Attempts {
  const servers = new Map<string, Map<unknown, number>>();
  const recent = (server: string) => {
    const now = Date.now();
    const subjects = servers.get(server) ?? new Map<unknown, number>();
    // If the clock was set back, recorded times are in the future. They must not count longer than others.
    for (const [subject, at] of subjects) if (Math.abs(now - at) >= WINDOW_MS) subjects.delete(subject);
    return subjects;
  };
  return {
    allows: (server, subject) => {
      const subjects = recent(server);
      return !subjects.has(subject) && subjects.size < max;
    },
    note: (server, subject) => {
      keepRecent(servers, server, recent(server).set(subject, Date.now()), MAX_SERVERS);
    },
    forgive: (server, subject) => void servers.get(server)?.delete(subject),
  };
}
