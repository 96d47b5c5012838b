import { isPlainObject } from "../config/merge-options.ts";
import type { OAuthProvider } from "../model/oauth-provider.ts";
import type { ProviderProblem } from "../model/sign-in-method-spec.ts";
import { parseEmailAddress } from "../protocol/email-address.ts";
import { foldName } from "../protocol/fold-name.ts";
import { isSecureUrl, parseUrl } from "../protocol/parse-url.ts";
import { insecureOriginsOf } from "../protocol/provider-reach.ts";

type OAuthRule = readonly [message: string, accepts: (value: unknown) => boolean];

const CHECKS: readonly unknown[] = ["pkce", "state", "nonce", "none"];
const METHODS: readonly unknown[] = [
  ...["client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt", "none"],
];

const isFunction = (value: unknown) => typeof value === "function";
const isText = (value: unknown) => typeof value === "string";
const isEndpointUrl = (value: unknown) =>
  typeof value === "string" && /^https?:$/.test(parseUrl(value)?.protocol ?? "");
const isHttpOrigin = (value: unknown) => typeof value === "string" && insecureOriginsOf([value])[0] === value;
const isPrivateKey = (value: unknown) => value instanceof CryptoKey && value.type === "private";
const isDomain = (value: unknown) => typeof value === "string" && parseEmailAddress(`a@${value}`) !== null;

/** Whether JSON has the content of a value: it has nothing of a `Map` or `URLSearchParams`. */
const isParam = (value: unknown) =>
  Object(value) !== value ||
  isFunction(value) ||
  Array.isArray(value) ||
  isPlainObject(value) ||
  isFunction(Object(value).toJSON);

const url: OAuthRule = ["must be an https URL", isEndpointUrl];
const identifier: OAuthRule = ["must be an https URL as a string, because it is compared exactly", isEndpointUrl];
const secureUrl: OAuthRule = [
  "must be an https URL, or http on a loopback host",
  (value) => typeof value === "string" && isSecureUrl(value),
];
const callable: OAuthRule = ["must be a function", isFunction];
const flag: OAuthRule = ["must be a boolean", (value) => typeof value === "boolean"];
const text: OAuthRule = ["must be a string", isText];
const record: OAuthRule = ["must be a plain object", isPlainObject];
const params: OAuthRule = [
  "must be a plain object, and so must any object in it",
  (value) => isPlainObject(value) && Object.values(value).every(isParam),
];
const endpoint: OAuthRule = [
  "must be an https URL, or `{ url, params }` with an https URL",
  (value) => isEndpointUrl(value) || (isPlainObject(value) && (value.url === undefined || isEndpointUrl(value.url))),
];

/** The required type of each member of a provider object. */
const MEMBERS: readonly (readonly [path: string, rule: OAuthRule])[] = [
  ["name", text],
  ["issuer", identifier],
  ["wellKnown", url],
  ["jwks_endpoint", url],
  ["authorization", endpoint],
  ["token", endpoint],
  ["userinfo", endpoint],
  ["authorization.params", params],
  ["token.params", params],
  ["token.body", params],
  ["token.request", callable],
  ["token.conform", callable],
  [
    "token.clientPrivateKey",
    [
      "must be a private `CryptoKey`, or `{ key, kid }` with one",
      (value) =>
        isPrivateKey(value) ||
        (isPlainObject(value) && isPrivateKey(value.key) && (value.kid === undefined || isText(value.kid))),
    ],
  ],
  ["userinfo.params", params],
  ["userinfo.request", callable],
  ["userinfo.conform", callable],
  ["client", record],
  ["client.token_endpoint_auth_method", [`must be one of ${METHODS.join(", ")}`, (value) => METHODS.includes(value)]],
  ["clientSecret", ["must be a string or a function", (value) => typeof value === "string" || isFunction(value)]],
  [
    "checks",
    [
      'must be a list of "pkce", "state" and "nonce"',
      (value) => Array.isArray(value) && value.every((check) => CHECKS.includes(check)),
    ],
  ],
  ["cancelled", ["must be a list of strings", (value) => Array.isArray(value) && value.every(isText)]],
  ["profile", callable],
  ["account", callable],
  ["verifiedEmail", callable],
  ["idTokenIssuer", callable],
  ["endSessionParams", callable],
  ["refuseCallbackUrl", callable],
  [
    "audiences",
    ["must be a list of strings", (value) => Array.isArray(value) && value.every((entry) => typeof entry === "string")],
  ],
  [
    "insecureOrigins",
    [
      'must be a list of http origins such as "http://keycloak:8080", without loopback hosts, whose endpoints are configured by URL',
      (value) => Array.isArray(value) && value.every(isHttpOrigin),
    ],
  ],
  ["idToken", flag],
  ["allowDangerousEmailAccountLinking", flag],
  [
    "ownsAddresses",
    [
      'must be a list of domains such as "gmail.com", or a function: a provider is never the authority for all addresses',
      (value) => isFunction(value) || (Array.isArray(value) && value.every(isDomain)),
    ],
  ],
  ["redirectProxyUrl", secureUrl],
  ["par", ['must be a boolean or "auto"', (value) => typeof value === "boolean" || value === "auto"]],
  ["dpop", flag],
  ["signedRequest", flag],
  ["style", record],
];

/**
 * Finds mistakes that would make every sign-in with a provider fail, so that they are reported at startup. Discovery metadata is
 * not fetched.
 *
 * 1. Every member has its required type, and every URL may be requested.
 * 2. The endpoints are configured, or there is an issuer to discover them from.
 * 3. There is a source for the profile.
 * 4. The authorization parameters are supported by the flow: `response_type` does not request tokens, the server can read the
 *    `response_mode`, and `max_age` is a number of seconds, which is compared with `auth_time` (OIDC Core §3.1.2.1).
 * 5. The protection of requests and tokens can work: a signature has a key and an audience, and no hook sends bound tokens.
 */
export function findOAuthProblems(provider: OAuthProvider): readonly ProviderProblem[] {
  const wrong = MEMBERS.filter(([path, [, accepts]]) => {
    const value = memberAt(provider, path);
    return value !== undefined && !accepts(value);
  }).map(([member, [message]]) => ({ member, message }));
  const missing = findMissingEndpoint(provider);
  const isReported = missing === null || wrong.some(({ member }) => member === missing.member);
  return [...wrong, ...(isReported ? [] : [missing]), ...findUnprotected(provider), ...findWrongParams(provider)];
}

/**
 * A hook that sends tokens itself cannot prove possession of their key. A signed request needs a key and an audience (RFC 9101 §4), a
 * client assertion that Cardea makes a key (RFC 7523 §2.2).
 */
const PROTECTIONS = [
  ["dpop", "token.request", false],
  ["dpop", "userinfo.request", false],
  ["signedRequest", "token.clientPrivateKey", true],
  ["signedRequest", "issuer", true],
  ["private_key_jwt", "token.clientPrivateKey", true],
] as const;

function findUnprotected(provider: OAuthProvider): ProviderProblem[] {
  const method = memberAt(provider, "client.token_endpoint_auth_method");
  // A hook authenticates the client itself, but not for a pushed request.
  const isOurs = memberAt(provider, "token.request") === undefined || provider.par === true;
  const uses = (name: (typeof PROTECTIONS)[number][0]) =>
    name === "private_key_jwt" ? name === method && isOurs : provider[name];
  return PROTECTIONS.filter(
    ([name, member, isNeeded]) => uses(name) && Boolean(memberAt(provider, member)) !== isNeeded,
  ).map(([name, member, isNeeded]) => ({
    member,
    message: `${isNeeded ? "is missing, for" : "cannot be used with"} \`${name}\``,
  }));
}

/** Authorization parameters with unsupported values, from `params` and from the URL's query. */
function findWrongParams(provider: OAuthProvider): ProviderProblem[] {
  const { authorization } = provider;
  const url = String(isPlainObject(authorization) ? authorization.url : authorization);
  const inUrl = [...(parseUrl(url)?.searchParams ?? [])];
  const params = memberAt(provider, "authorization.params");
  const given: (readonly [string, string, unknown])[] = [
    ...inUrl.map(([name, value]) => ["authorization", name, value] as const),
    ...(isPlainObject(params) ? Object.entries(params) : []).map(
      ([name, value]) => [`authorization.params.${name}`, name, value] as const,
    ),
  ];
  return given.flatMap(([member, name, value]) => {
    const rule = PARAMS.get(foldName(name));
    // The rule also applies to the result of a function, which becomes a parameter in the same way.
    const made: unknown =
      rule !== undefined && typeof value === "function" ? value({ clientId: provider.clientId }) : value;
    if (rule === undefined || made === undefined || made === null) return [];
    const [accepted, wanted] = rule;
    const isScalar = typeof made === "string" || typeof made === "number";
    return isScalar && accepted.test(String(made)) ? [] : [{ member, message: `has a ${wanted}` }];
  });
}

/** By names without case and punctuation, because some servers read `Max_Age` as `max_age`. */
const PARAMS: ReadonlyMap<string, readonly [accepted: RegExp, wanted: string]> = new Map([
  ["maxage", [/^\d{1,9}$/, "`max_age` that is not an integer (OIDC Core §3.1.2.1)"]],
  [
    "responsetype",
    [
      /^(?!.*token)/is,
      '`response_type` that is not "code": tokens must not pass through the browser (RFC 9700 §2.1.2)',
    ],
  ],
  [
    "responsemode",
    [/^(query|form_post)$/, '`response_mode` that is not "query" or "form_post": the server cannot read it'],
  ],
]);

function findMissingEndpoint(provider: OAuthProvider): ProviderProblem | null {
  const { type, issuer, jwks_endpoint, idToken, idTokenIssuer } = provider;
  const has = (name: "authorization" | "token" | "userinfo") =>
    isEndpointUrl(provider[name]) || isEndpointUrl(memberAt(provider, `${name}.url`));
  if (type === "oidc" && !issuer && idTokenIssuer === undefined) {
    return {
      member: "issuer",
      message: "is missing: the issuer of ID tokens is compared with it (OIDC Core §3.1.3.7)",
    };
  }
  const isComplete = has("authorization") && has("token") && (type === "oauth" || Boolean(jwks_endpoint));
  if (!issuer && !isComplete) {
    const member = !has("authorization") ? "authorization" : !has("token") ? "token" : "jwks_endpoint";
    return { member, message: "is missing: configure it, or set `issuer` to discover it" };
  }
  const readsUserinfo = type === "oauth" || idToken === false;
  if (!readsUserinfo || !isComplete || has("userinfo") || memberAt(provider, "userinfo.request")) return null;
  return { member: "userinfo", message: "is missing: the profile is read from it" };
}

/** A member, or a member of a member; undefined if there is none. */
function memberAt(provider: OAuthProvider, path: string): unknown {
  let value: unknown = provider;
  for (const name of path.split(".")) value = isPlainObject(value) ? value[name] : undefined;
  return value;
}
