import type { WebAuthnFacts, WebAuthnRequest, WebAuthnUserInfo } from "@cardea/core/providers";
import {
  type AdapterMethod,
  type AdapterUser,
  type AddressRules,
  CallbackRouteError,
  InvalidRequest,
  isAuthError,
  isId,
  parseEmailAddress,
  type RequestTools,
  type SignInTools,
  toError,
  type User,
} from "@cardea/extend";
import type { PasskeyProvider } from "./passkey-provider.ts";
import { withinHookTime } from "./within.ts";

/** The submitted fields by name; `email` is normalised. */
export type TypedFields = Readonly<Record<string, string>>;

/** The signed-in user, and the session. */
export interface SignedInUser {
  readonly user: AdapterUser;
  readonly fingerprint: string;
}

/** Parameters of the library itself, which are not fields. */
const OWN_PARAMETERS: ReadonlySet<string> = new Set([
  ...["action", "callbackUrl", "csrfToken", "confirmAddress", "mediation", "removed", "signInPage"],
]);

/** Enough for any form, and small enough for an encrypted cookie. */
const MAX_FIELDS = 16;
const MAX_TYPED_LENGTH = 1024;

/**
 * Reads the submitted fields from a query.
 *
 * @throws InvalidRequest if `email` is not a single address, a name or value has control characters, or there are too many
 *   fields.
 */
export function readTypedFields(query: URLSearchParams, rules: AddressRules = {}): TypedFields {
  const fields = new Map<string, string>();
  for (const [name, value] of query) {
    if (value === "" || OWN_PARAMETERS.has(name) || name === "__proto__" || fields.has(name)) continue;
    fields.set(requireText(name), name === "email" ? requireAddress(value, rules) : requireText(value));
  }
  const length = [...fields].reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (fields.size > MAX_FIELDS || length > MAX_TYPED_LENGTH)
    throw new InvalidRequest("The submitted form is too large.", 400);
  return Object.fromEntries(fields);
}

/**
 * Control characters, lone surrogates and direction overrides: no name contains them, and databases and screens
 * misinterpret them.
 */
const UNWRITABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

function requireText(text: string): string {
  if (UNWRITABLE.test(text)) throw new InvalidRequest("The submitted form contains control characters.", 400);
  return text;
}

function requireAddress(text: string, rules: AddressRules): string {
  const address = parseEmailAddress(text, rules);
  if (address === null) throw new InvalidRequest("`email` must be a single, valid e-mail address.", 400);
  return address;
}

/** The signed-in user; null also if the user of the session is not in the database. */
export async function findSignedInUser(t: SignInTools): Promise<SignedInUser | null> {
  const session = await t.signedIn();
  if (session === null) return null;
  const user = await t.callAdapter("getUser", session.userId);
  return user === null ? null : { user, fingerprint: session.fingerprint };
}

/**
 * The user for the submitted fields; null if they are not sufficient.
 *
 * @throws AdapterError; CallbackRouteError if the provider's `getUserInfo` failed.
 */
export async function callGetUserInfo(
  t: RequestTools,
  provider: PasskeyProvider,
  request: WebAuthnRequest,
): Promise<WebAuthnUserInfo | null> {
  const { source } = provider;
  if (source.getUserInfo === undefined) return findByAddress(t, request.query);
  try {
    const facts = factsFor(t, provider, request, t.origin);
    const info = await withinHookTime(callHook(t, provider, "getUserInfo", facts, request));
    return parseUserInfo(info, source);
  } catch (error) {
    if (isAuthError(error)) throw error;
    const cause = { err: toError(error), provider: provider.id };
    throw new CallbackRouteError(`getUserInfo of provider "${provider.id}" failed.`, { cause });
  }
}

async function findByAddress(t: RequestTools, typed: TypedFields): Promise<WebAuthnUserInfo | null> {
  const { email, name = null }: Partial<Record<string, string | null>> = typed;
  if (!email) return null;
  const user = await t.findUserByAddress(email);
  return user === null ? { user: { email, name }, exists: false } : { user, exists: true };
}

/** An existing user has an id; the address of a new one is normalised. */
function parseUserInfo(info: unknown, rules: AddressRules): WebAuthnUserInfo | null {
  if (info === null || info === undefined) return null;
  const { user, exists } = Object(info) as { user?: Partial<User>; exists?: unknown };
  if (typeof user !== "object" || user === null) throw new TypeError("it must return { user, exists } or null");
  if (exists === true && isId(user.id)) return { user, exists: true };
  if (exists === true) throw new TypeError("a user with `exists: true` must have an `id`");
  const { id: _id, email, ...person } = user;
  const { name = null }: { readonly name?: unknown } = person;
  if (name !== null && (typeof name !== "string" || UNWRITABLE.test(name)))
    throw new TypeError("the `name` of a new user must be a string without control characters");
  const address = typeof email === "string" ? parseEmailAddress(email, rules) : null;
  return { user: { ...person, email: address }, exists: false };
}

/** The parameters of a provider's hooks, with the names of Auth.js v5. */
export function factsFor(
  t: RequestTools,
  { source }: PasskeyProvider,
  { action, providerId }: WebAuthnRequest,
  origin: string,
): WebAuthnFacts {
  const url = new URL(`${origin}${t.baseUrl.slice(t.origin.length)}/${action}/${providerId}`);
  return { action, provider: source, adapter: watchedAdapter(t), url };
}

/** The adapter, with the limits and errors of all our calls. */
function watchedAdapter(t: RequestTools): WebAuthnFacts["adapter"] {
  const get = (_: object, name: PropertyKey): unknown => {
    // A cast: any other name is simply absent from the adapter.
    const method = name as AdapterMethod;
    if (!t.adapterHas(method)) return undefined;
    if (method === "getUserByEmail") return (address: unknown) => t.findUserByAddress(String(address ?? ""));
    return (...args: unknown[]) => Reflect.apply(t.callAdapter, t, [method, ...args]);
  };
  return new Proxy({}, { get });
}

/** Calls a hook of the provider object. Outside a sign-in it receives no headers and no cookies. */
export function callHook(
  t: RequestTools & Partial<Pick<SignInTools, "callHook">>,
  { source }: PasskeyProvider,
  name: "getUserInfo" | "getRelayingParty",
  facts: WebAuthnFacts,
  request: WebAuthnRequest,
): unknown {
  if (t.callHook !== undefined) return t.callHook(name, facts, request);
  const hook: unknown = source[name];
  return typeof hook === "function" ? Reflect.apply(hook, source, [facts, request]) : undefined;
}

/** The request as a provider's hooks receive it; {@link callHook} adds headers and cookies. */
export function requestFor(
  t: RequestTools,
  provider: { readonly id: string },
  action: WebAuthnRequest["action"],
  query: TypedFields,
): WebAuthnRequest {
  const url = new URL(`${t.baseUrl}/${action}/${provider.id}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return { method: "GET", url, action, providerId: provider.id, headers: {}, cookies: {}, query, body: undefined };
}
