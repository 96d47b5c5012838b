import { callAdapter } from "../../application/call-adapter.ts";
import type { Adapter, AdapterUser } from "../../model/adapter.ts";
import type { FlowContext } from "../../model/context.ts";
import { CallbackRouteError, InvalidRequest, isAuthError } from "../../model/errors.ts";
import type { User } from "../../model/records.ts";
import type { ResolvedWebAuthnProvider } from "../../model/resolved-config.ts";
import { toError } from "../../model/to-error.ts";
import type { WebAuthnFacts, WebAuthnRequest, WebAuthnUserInfo } from "../../model/webauthn-provider.ts";
import { type AddressRules, parseEmailAddress } from "../../protocol/email-address.ts";
import { isId } from "../../protocol/same-id.ts";
import { strategyOf } from "../../session/select-strategy.ts";
import { findUserByAddress } from "../../users/find-user-by-address.ts";

/** The submitted fields by name; `email` is normalised. */
export type TypedFields = Readonly<Record<string, string>>;

/** The signed-in user, and the session. */
export interface SignedInUser {
  readonly user: AdapterUser;
  readonly fingerprint: string;
}

/** Parameters of the library. */
const OWN_PARAMETERS: ReadonlySet<string> = new Set(["action", "callbackUrl", "csrfToken"]);

/** Enough for any form of ours; encrypted in a cookie, it stays below what browsers store. */
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
export async function findSignedInUser(context: FlowContext): Promise<SignedInUser | null> {
  const session = await strategyOf(context.config).identify(context);
  if (session === null) return null;
  const user = await callAdapter(context.config, "getUser", session.userId);
  return user === null ? null : { user, fingerprint: session.fingerprint };
}

/**
 * The user for the submitted fields; null if they are not sufficient.
 *
 * @throws AdapterError; CallbackRouteError if the provider's `getUserInfo` failed.
 */
export async function callGetUserInfo(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  request: WebAuthnRequest,
): Promise<WebAuthnUserInfo | null> {
  const { source } = provider;
  if (source.getUserInfo === undefined) return findByAddress(context, request.query);
  try {
    const facts = factsFor(context, provider, request, context.origin);
    return parseUserInfo(await Reflect.apply(source.getUserInfo, source, [facts, request]), source);
  } catch (error) {
    if (isAuthError(error)) throw error;
    const cause = { err: toError(error), provider: provider.id };
    throw new CallbackRouteError(`getUserInfo of provider "${provider.id}" failed.`, { cause });
  }
}

async function findByAddress(context: FlowContext, typed: TypedFields): Promise<WebAuthnUserInfo | null> {
  const { email, name = null }: Partial<Record<string, string | null>> = typed;
  if (!email) return null;
  const user = await findUserByAddress(context.config, email);
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
  context: FlowContext,
  { source }: ResolvedWebAuthnProvider,
  { action, providerId }: WebAuthnRequest,
  origin: string,
): WebAuthnFacts {
  const url = new URL(`${origin}${context.config.basePath}/${action}/${providerId}`);
  return { action, provider: source, adapter: watchedAdapter(context), url };
}

/** The adapter, with the limits and errors of all our calls. */
function watchedAdapter({ config }: FlowContext): Adapter {
  const get = (_: object, name: PropertyKey): unknown => {
    const member: unknown = config.adapter === undefined ? undefined : Reflect.get(config.adapter, name);
    if (typeof member !== "function") return member;
    if (name === "getUserByEmail") return (address: unknown) => findUserByAddress(config, String(address ?? ""));
    return (...args: unknown[]) => Reflect.apply(callAdapter, undefined, [config, name, ...args]);
  };
  return new Proxy({}, { get });
}

/** The request as a provider's hooks receive it. */
export function requestFor(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  action: WebAuthnRequest["action"],
  query: TypedFields,
  headers: Headers,
): WebAuthnRequest {
  const url = new URL(`${context.baseUrl}/${action}/${provider.id}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const all = {
    headers: Object.fromEntries(headers),
    cookies: Object.fromEntries(context.received),
  };
  return { method: "GET", url, action, providerId: provider.id, ...all, query, body: undefined };
}
