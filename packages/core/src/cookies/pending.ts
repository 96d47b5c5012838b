import { sha256 } from "../crypto/primitives.ts";
import { type CookieBinding, decryptFirstCookie, encryptCookie } from "../crypto/sealed-claims.ts";
import type { FlowContext } from "../model/context.ts";
import type { CookieAttributes } from "../model/cookie-options.ts";
import type { ResolvedCookie } from "../model/resolved-config.ts";
import { PENDING_SIGN_IN_LIFETIME, type Seconds } from "../model/units.ts";
import { cleared, withLifetime } from "../protocol/cookie-attributes.ts";
import { valuesOf } from "../protocol/cookie-values.ts";
import { isEqualInConstantTime } from "../protocol/csrf-token.ts";
import { bindingOf } from "./own-cookie.ts";

/**
 * What the browser keeps between the start of a ceremony and its end (docs/behaviour.md#cookies): one sealed cookie each, named
 * `<name>.<time><hash>` after the secret that comes back (`state`, a challenge, the token of a link). Several tabs can sign in at
 * once, the cookie is found by what comes back, and the oldest are dropped when there are too many.
 */

/** Names the page `confirm-address` that started a sign-in, in forms and in the query of the sign-in page. */
export const MARK_FIELD = "confirmAddress";

/** The mark of that page among the fields of a form; undefined for any other sign-in. */
export function readMark(fields: { get(name: string): unknown }): string | undefined {
  const mark = fields.get(MARK_FIELD);
  return typeof mark === "string" && /^[0-9a-f]{32}$/.test(mark) ? mark : undefined;
}

/** Parallel ceremonies that one browser may have. */
const MAX_PENDING = 5;

/** Maximum size of all their cookies in bytes; servers commonly reject headers over 8 or 16 kB. */
const MAX_PENDING_BYTES = 8192;

/** How many surplus ceremonies one answer drops: a flood of cookies is not answered with a flood. */
const MAX_DROPPED = 5;

const HASH_LENGTH = 8;

/** How many cookies with the same end of their name are tried. */
const MAX_SAME = 8;

/** The suffixes that are made here; a cookie with any other was made elsewhere, and its name may not even be writable. */
const SUFFIX = /^[0-9a-z]{1,11}[\w-]{8}$/;

/** Strings under short names: what is sealed. `to` is the destination. */
type SealedValues = Readonly<Record<string, string>>;

/** One kind of ceremony: which cookie keeps it, what its seal is for, and what is in it. */
export interface PendingKind<T> {
  readonly cookie: "state" | "webauthnChallenge";
  readonly purpose: CookieBinding["purpose"];
  /** Default, and at most: as long as a pending sign-in. */
  readonly lifetime?: Seconds;
  readonly write: (value: T) => SealedValues;
  /** The value again; null when it is not one. */
  readonly parse: (sealed: SealedValues) => T | null;
}

/** The provider of a pending sign-in, and the secret that its response returns. */
export interface Ceremony {
  /** With `formPost` the response is a cross-site POST, for which browsers send only `SameSite=None` cookies. */
  readonly provider: { readonly id: string; readonly formPost?: boolean };
  readonly secret: string;
}

/** Puts a ceremony in the jar, in place of what has the same secret; the oldest ones go when there are too many. */
export async function storePending<T>(
  context: FlowContext,
  kind: PendingKind<T>,
  { provider, secret }: Ceremony,
  value: T,
): Promise<void> {
  const hash = await sha256(secret);
  const options = attributesOf(context, kind, provider);
  const values: SealedValues = { ...kind.write(value), of: hash };
  const binding = bindingOf(context, kind, provider.id);
  const lifetime = options.maxAge ?? PENDING_SIGN_IN_LIFETIME;
  const sealed = await encryptWithDestination(context, values, "to", binding, lifetime);
  const suffix = `${context.now().toString(36)}${hash.slice(0, HASH_LENGTH)}`;
  const [name = `${context.cookies[kind.cookie].name}.${suffix}`, ...others] = findNames(context, kind, hash);
  for (const other of others) context.jar.set(cleared(other, options));
  context.jar.set({ name, value: sealed, options });
  dropOldest(context, name, sealed.length);
}

/** The ceremony that a secret belongs to; null when this browser has none for this provider, or it is too old. */
export async function readPending<T>(
  context: FlowContext,
  kind: PendingKind<T>,
  { provider, secret }: Ceremony,
): Promise<T | null> {
  const hash = await sha256(secret);
  const values = await sentPending(context, kind, secret);
  const sealed = await decryptFirstCookie(values, bindingOf(context, kind, provider.id));
  if (sealed === null || !isEqualInConstantTime(sealed.of ?? "", hash)) return null;
  return kind.parse(withDestination(context, sealed, "to"));
}

/** The cookies of a ceremony as they were sent, unopened: only this browser knows them. */
export async function sentPending<T>(context: FlowContext, kind: PendingKind<T>, secret: string): Promise<string[]> {
  return findNames(context, kind, await sha256(secret)).flatMap((name) => valuesOf(name, context));
}

/** Clears the cookie of a ceremony. Returns whether the browser had one. */
export async function clearPending<T>(
  context: FlowContext,
  kind: PendingKind<T>,
  { provider, secret }: Ceremony,
): Promise<boolean> {
  const names = findNames(context, kind, await sha256(secret));
  for (const name of names) context.jar.set(cleared(name, attributesOf(context, kind, provider)));
  return names.length > 0;
}

/** Clears the cookies of every ceremony of a kind. */
export function clearEveryPending<T>(context: FlowContext, kind: PendingKind<T>): void {
  const cookie = context.cookies[kind.cookie];
  for (const name of namesOf(context, cookie)) context.jar.set(cleared(name, cookie.options));
}

/** One, unless a neighbouring site sets a cookie with the same end of its name. */
function findNames<T>(context: FlowContext, kind: PendingKind<T>, hash: string): readonly string[] {
  const end = hash.slice(0, HASH_LENGTH);
  const names = namesOf(context, context.cookies[kind.cookie]).filter((name) => name.endsWith(end));
  return names.slice(0, MAX_SAME);
}

/** The names under which cookies of pending ceremonies were sent. */
function namesOf({ received }: FlowContext, cookie: ResolvedCookie): readonly string[] {
  const prefix = `${cookie.name}.`;
  return [...received.keys()].filter((name) => name.startsWith(prefix) && SUFFIX.test(name.slice(prefix.length)));
}

/** Clears the oldest ceremonies that no longer fit beside a new one. Browsers send those of one second in their order (RFC 6265bis §5.8.3). */
function dropOldest(context: FlowContext, newName: string, newBytes: number): void {
  const { state, webauthnChallenge } = context.cookies;
  const all = [state, webauthnChallenge].flatMap((cookie) =>
    namesOf(context, cookie)
      .filter((name) => name !== newName)
      .map((name) => ({ name, cookie, time: name.slice(cookie.name.length + 1, -HASH_LENGTH) })),
  );
  let bytes = newName.length + newBytes;
  let dropped = 0;
  all.reverse().sort((a, b) => Number(a.time < b.time) - Number(a.time > b.time));
  for (const [older, { name, cookie }] of all.entries()) {
    bytes += name.length + (context.received.get(name)?.length ?? 0);
    if (older + 2 <= MAX_PENDING && bytes <= MAX_PENDING_BYTES) continue;
    if (dropped >= MAX_DROPPED) return;
    dropped += 1;
    context.jar.set(cleared(name, cookie.options));
  }
}

function attributesOf<T>(context: FlowContext, kind: PendingKind<T>, { formPost }: Ceremony["provider"]) {
  const { options } = context.cookies[kind.cookie];
  const { lifetime = PENDING_SIGN_IN_LIFETIME } = kind;
  const crossSite: CookieAttributes = formPost === true ? { sameSite: "none", secure: true } : {};
  return { ...withLifetime(options, lifetime, context.now()), ...crossSite };
}

/**
 * Destinations as they are kept between two requests, in encrypted cookies and in the store. One secret may be used at
 * several hosts: what was kept at one of them must not lead there from another.
 */

/** A destination at the own origin is kept without it; any other was allowed by `callbacks.redirect` and stays as it is. */
export function storedDestination(url: string, origin: string): string {
  if (url === origin) return "";
  return url.startsWith(`${origin}/`) ? url.slice(origin.length) : url;
}

/** The destination again, at the origin of the request that continues. */
export function joinDestination(stored: string, origin: string): string {
  // Joined, not resolved: a path can never become a host.
  return stored === "" || stored.startsWith("/") ? `${origin}${stored}` : stored;
}

/** Below the 4096 bytes of a cookie that browsers store (RFC 6265bis §5.6), with room for its name and its attributes. */
const MAX_VALUE_LENGTH = 3840;

/**
 * Encrypts a cookie that contains the destination of a sign-in. Browsers silently ignore a cookie that is too large, and the sign-in could
 * never be completed: if the destination does not fit beside the other values, it is replaced by the base URL. The
 * destination is stored by `storedDestination`; see {@link withDestination}.
 *
 * @param to the name of the destination among the values.
 */
export async function encryptWithDestination(
  { origin }: FlowContext,
  values: Readonly<Record<string, string>>,
  to: string,
  binding: CookieBinding,
  lifetime: Seconds,
): Promise<string> {
  const url = values[to];
  const stored = url === undefined ? values : { ...values, [to]: storedDestination(url, origin) };
  const sealed = await encryptCookie(stored, binding, lifetime);
  return sealed.length <= MAX_VALUE_LENGTH ? sealed : encryptCookie({ ...values, [to]: "" }, binding, lifetime);
}

/** The values of such a cookie, with the destination at the origin of this request. */
export function withDestination(
  { origin }: FlowContext,
  sealed: Readonly<Record<string, string>>,
  to: string,
): Readonly<Record<string, string>> {
  const stored = sealed[to];
  return stored === undefined ? sealed : { ...sealed, [to]: joinDestination(stored, origin) };
}
