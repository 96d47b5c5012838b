import type { Cookie } from "../model/result.ts";
import { serializeCookie } from "./serialize-cookie.ts";

/** What a guard or an operation adds to a response. */
export interface AddedCookies {
  /** The cookies to set. A string is a complete `Set-Cookie` value. */
  readonly cookies: readonly (Cookie | string)[];
  /** Of a guard: whether the request may continue. */
  readonly kind?: "allow" | "deny";
  /** Of a guard: the session of the request; null for visitors. */
  readonly session?: unknown;
  /** Of a guard: the name of the session cookie. */
  readonly sessionCookie?: string | undefined;
}

/** The methods of Node's server responses that setting headers needs. */
export interface NodeAnswer {
  /** As in Node.js. */
  getHeader(name: string): number | string | readonly string[] | undefined;
  /** As in Node.js. */
  getHeaderNames(): readonly string[];
  /** As in Node.js. */
  setHeader(name: string, value: string | readonly string[]): unknown;
  /** As in Node.js. */
  removeHeader(name: string): void;
  /** The response of Node.js, if this one is that of a framework. */
  readonly raw?: object | undefined;
}

/** All additions to one response. */
interface Kept {
  /** Our cookies: the latest value of each. */
  readonly lines: readonly string[];
  /** Our cookies, with the values that were replaced. */
  readonly issued: readonly string[];
  /** Whether a cookie is still to be set. */
  readonly judged: ReadonlyMap<string, () => boolean>;
  /** Whether a guard let the request pass and its user was signed in. */
  readonly isAdmitted: boolean;
  readonly sessionCookie: string | undefined;
}

/** The headers that the rules are about. */
interface Fields {
  readonly names: readonly string[];
  readonly cookies: readonly string[];
  readonly cacheControl: string;
}

/** Headers with such names that frameworks can remove without a list of what was set. */
const SHARED_CACHING = [
  ...["cache-control", "cdn-cache-control", "surrogate-control", "x-accel-expires"],
  ...["vercel-cdn-cache-control", "cloudflare-cdn-cache-control", "netlify-cdn-cache-control"],
];

/** Browsers may store the page; caches between the server and the browser must not (CVE-2025-48947). */
const CACHE_CONTROL = "private, no-cache, no-store";

/** For responses to signed-in users without a cookie: browsers may store and revalidate them. */
const ADMITTED = "private";

/**
 * Headers that shared caches prefer to `Cache-Control`: `CDN-Cache-Control` and its variants (RFC 9213 §3), `Surrogate-Control`,
 * and those of nginx, Akamai and LiteSpeed.
 */
const FOR_CDNS = /^x-accel-expires$|^edge-control$|(?:^|-)(?:cdn-cache|surrogate|litespeed-cache)-control$/i;

/** Directives that allow no shared cache to store a response with `private`. `private="…"` would be about one field only. */
const SAFE =
  /^(?:private|no-store|no-cache|no-transform|must-revalidate|immutable|(?:max-age|stale-while-revalidate|stale-if-error)="?\d+"?)$/i;

/**
 * The rules about the headers of a response, for the moment when they are sent (docs/behaviour.md#responses):
 *
 * 1. Our cookies are part of it, whatever the application made of `Set-Cookie`. A cookie of the same name that the application
 *    set afterwards takes precedence, so that a renewal cannot undo a sign-out. A value of ours that we replaced does not come back, and
 *    neither does one that is about a session which has since ended or been replaced.
 * 2. No shared cache may store a response with our cookies or with a session cookie (RFC 9111 §3, §5.2.2.7).
 * 3. If a guard let a signed-in user pass, the response is `private`, unless the application chose otherwise afterwards.
 */
function settleFields(given: Fields, { issued, judged, isAdmitted, sessionCookie, ...kept }: Kept): Fields {
  const lines = kept.lines.filter((line) => judged.get(line)?.() ?? true);
  const current = given.cookies.filter((line) => lines.includes(line) || !issued.includes(line));
  const theirs = current.filter((line) => !lines.includes(line));
  const stems = new Set(theirs.map(stemOf));
  if (issued.length === 0 && (sessionCookie === undefined || !stems.has(sessionCookie)))
    return isAdmitted && given.cacheControl === "" ? { ...given, cacheControl: ADMITTED } : given;
  return {
    names: given.names.filter((name) => !FOR_CDNS.test(name)),
    // All of ours where one is missing: those of one name have an order.
    cookies: [...(lines.every((line) => current.includes(line)) ? [] : lines), ...current].filter(
      (line, at, all) => !lines.includes(line) || (!stems.has(stemOf(line)) && all.indexOf(line) === at),
    ),
    cacheControl: isPrivate(given.cacheControl) ? given.cacheControl : CACHE_CONTROL,
  };
}

function isPrivate(cacheControl: string): boolean {
  const directives = cacheControl.split(",").map((directive) => directive.replace(/^[\t ]+|[\t ]+$/g, ""));
  return directives.every((one) => SAFE.test(one)) && directives.some((one) => /^private$/i.test(one));
}

/** Keeps a user-specific response out of shared caches. */
export function keepPrivate(headers: Headers): void {
  withhold(toAnswer(headers), CACHE_CONTROL);
}

/**
 * Adds cookies to response headers, replacing those of the same name, and prevents shared caching.
 *
 * @param owner the response of Node.js that will send these headers, or the headers themselves, which then keep the rules on their own;
 *   or another object of this request, for {@link settleResponse}.
 */
export function addCookies(headers: Headers, addition: AddedCookies, owner?: unknown): void {
  if (isNothing(addition)) return;
  addToHeaders(toAnswer(headers), addition);
  const isHeld = hold(Object(owner), addition);
  // A framework may prefer these headers to those of the application's own response, which must be able to choose otherwise.
  if (isHeld && headers.get("cache-control") === ADMITTED) headers.delete("cache-control");
}

/**
 * Keeps an addition, if there is one, for a framework whose headers exist when its handlers have run; {@link settleResponse} then applies it.
 *
 * @param owner as for {@link addCookies}.
 * @param forget removes a header that was set before.
 */
export function holdAnswer(
  owner: object,
  addition: AddedCookies,
  forget: (name: string) => void = () => undefined,
): boolean {
  if (isNothing(addition)) return false;
  for (const name of SHARED_CACHING) forget(name);
  hold(owner, addition);
  return true;
}

/** As {@link addCookies}, for a Node.js response. */
export function addNodeCookies(answer: NodeAnswer, addition: AddedCookies): void {
  if (isNothing(addition)) return;
  hold(answer.raw ?? answer, addition);
  addToHeaders(answer, addition);
}

/** Adds to a complete response, by the rules of {@link settleFields}. */
export function withCookies(response: Response, addition: AddedCookies): Response {
  const owner = {};
  holdAnswer(owner, addition);
  return settleResponse(response, owner);
}

/**
 * Applies the rules to a complete response, unless a response of Node.js will apply them. The response to a WebSocket handshake
 * cannot be copied, so it is returned unchanged.
 *
 * @param owner the object with the additions to this response.
 * @param isOwn whether the response was created for this request alone: then it is changed, and not copied.
 */
export function settleResponse(response: Response, owner: object, isOwn = false): Response {
  const kept: Kept | undefined = Reflect.get(owner, KEPT);
  if (kept === undefined || response.status < 200 || isNodeAnswer(owner)) return response;
  const before = headerFieldsOf(toAnswer(response.headers));
  const after = settleFields(before, kept);
  if (after === before) return response;
  const settled = isOwn ? response : new Response(response.body, response);
  write(toAnswer(settled.headers), before, after);
  return settled;
}

const NOTHING: Kept = { lines: [], issued: [], judged: new Map(), isAdmitted: false, sessionCookie: undefined };

const isAdmission = ({ kind, session }: AddedCookies): boolean => kind === "allow" && Boolean(session);
const isNothing = (addition: AddedCookies): boolean => addition.cookies.length === 0 && !isAdmission(addition);

function keep(kept: Kept, addition: AddedCookies): Kept {
  const lines = addition.cookies.map(toLine);
  const judged = new Map(kept.judged);
  for (const [n, line] of lines.entries()) {
    const { isCurrent = () => true } = Object(addition.cookies[n]) as Partial<Cookie>;
    judged.set(line, isCurrent);
  }
  return {
    lines: mergeLines(kept.lines, lines),
    issued: [...kept.issued, ...lines],
    judged,
    isAdmitted: kept.isAdmitted || isAdmission(addition),
    sessionCookie: addition.sessionCookie ?? kept.sessionCookie,
  };
}

const KEPT = Symbol("cardea.kept");

/**
 * Stores an addition. If the owner is a response of Node.js, the rules apply when it sends its headers: all ways to do so, implicit
 * ones too, call `writeHead`. One without a connection sends nothing, its headers are read at any time: the rules apply to each change.
 *
 * @returns whether it is such a response.
 */
function hold(owner: object, addition: AddedCookies): boolean {
  const known: Kept | undefined = Reflect.get(owner, KEPT);
  Reflect.set(owner, KEPT, keep(known ?? NOTHING, addition));
  if (known === undefined && owner instanceof Headers) settleChanges(owner, toAnswer(owner));
  if (!isNodeAnswer(owner)) return false;
  if (known !== undefined) return true;
  if (!owner.socket) settleChanges(owner, owner);
  Reflect.set(owner, "writeHead", settleHead(owner, owner.writeHead));
  return true;
}

type AnyFunction = (...given: readonly unknown[]) => unknown;
interface HeldAnswer extends NodeAnswer {
  readonly headersSent?: boolean;
  readonly socket?: unknown;
  readonly writeHead: AnyFunction;
}

/** Whether an object is a response of Node.js, or one that a framework made to look like it. */
const isNodeAnswer = (owner: object): owner is HeldAnswer => typeof Reflect.get(owner, "writeHead") === "function";

/** The methods of a response of Node.js, and of `Headers`, that change headers. Other methods call these. */
const CHANGES = ["setHeader", "appendHeader", "removeHeader", "set", "append", "delete"];

/** Those with which they are read to be sent. Runtimes that copy `Headers` without them send what there was after the last change. */
const READS: readonly PropertyKey[] = ["end", "keys", "entries", "forEach", "getSetCookie", Symbol.iterator];

/**
 * Applies the rules to each change, and before the headers are read: on servers without Node.js (Nitro and h3 on workers and functions),
 * and by middleware while headers are sent.
 */
function settleChanges(owner: object, answer: NodeAnswer): void {
  let isSettling = false;
  const settleOnce = () => {
    if (isSettling || Reflect.get(owner, "headersSent") === true) return;
    isSettling = true;
    settle(owner, answer);
    isSettling = false;
  };
  for (const name of [...CHANGES, ...READS].filter((name) => name in owner)) {
    const method: AnyFunction = Reflect.get(owner, name);
    const isRead = READS.includes(name);
    Reflect.set(owner, name, (...given: readonly unknown[]) => {
      if (isRead) settleOnce();
      const result = Reflect.apply(method, owner, given);
      if (!isRead) settleOnce();
      return result;
    });
  }
}

function settle(owner: object, answer: NodeAnswer): void {
  const before = headerFieldsOf(answer);
  write(answer, before, settleFields(before, Reflect.get(owner, KEPT)));
}

function settleHead(answer: HeldAnswer, writeHead: AnyFunction): AnyFunction {
  // Middleware before the guard that waits for the headers, such as one that caches, then still changes them.
  const isReplaced = Object.hasOwn(answer, "writeHead");
  return (...given) => {
    if (answer.headersSent) return Reflect.apply(writeHead, answer, given);
    const [status, reason, fields] = given;
    setFields(answer, fields ?? reason);
    settle(answer, answer);
    if (isReplaced) settleChanges(answer, answer);
    return Reflect.apply(writeHead, answer, typeof reason === "string" ? [status, reason] : [status]);
  };
}

/** Sets the headers that `writeHead` received; they replace earlier ones. */
function setFields(answer: NodeAnswer, fields: unknown): void {
  const values = new Map<string, { readonly name: string; readonly list: readonly string[] }>();
  for (const [name, value] of pairsOf(fields)) {
    const key = name.toLowerCase();
    values.set(key, { name, list: [...(values.get(key)?.list ?? []), ...[value].flat()] });
  }
  for (const { name, list } of values.values()) answer.setHeader(name, list.length === 1 ? (list[0] ?? "") : list);
}

/** An object, a list of names and values, or a list of pairs. Node.js validates names and values. */
function pairsOf(fields: unknown): readonly (readonly [string, string | string[]])[] {
  if (typeof fields !== "object" || fields === null) return [];
  if (!Array.isArray(fields)) return Object.entries(fields);
  if (Array.isArray(fields[0])) return fields;
  return fields.flatMap((name, n) => (n % 2 === 0 ? [[name, fields[n + 1]]] : []));
}

/** Adds to headers that the application may still change; what it chose before does not count. */
function addToHeaders(answer: NodeAnswer, addition: AddedCookies): void {
  const lines = addition.cookies.map(toLine);
  if (lines.length > 0) answer.setHeader("set-cookie", mergeLines(headerFieldsOf(answer).cookies, lines));
  const { lines: all = lines }: Partial<Kept> = Reflect.get(answer.raw ?? answer, KEPT) ?? {};
  withhold(answer, all.length > 0 ? CACHE_CONTROL : ADMITTED);
}

/** A stricter value stays: `no-store` also keeps the page from the back button after a sign-out. */
function withhold(answer: NodeAnswer, cacheControl: string): void {
  const known = headerFieldsOf(answer).cacheControl;
  const isStricter = cacheControl === ADMITTED && (isPrivate(known) || isNeverStored(known));
  if (!isStricter) answer.setHeader("cache-control", cacheControl);
  for (const name of answer.getHeaderNames().filter((name) => FOR_CDNS.test(name))) answer.removeHeader(name);
}

/** `must-understand` makes caches ignore `no-store` (RFC 9111 §5.2.2.3). */
const isNeverStored = (cacheControl: string): boolean =>
  /(?:^|[\s,])no-store(?:$|[\s,])/i.test(cacheControl) && !/must-understand/i.test(cacheControl);

function write(answer: NodeAnswer, before: Fields, after: Fields): void {
  if (after === before) return;
  if (after.cookies.length > 0) answer.setHeader("set-cookie", after.cookies);
  else if (before.cookies.length > 0) answer.removeHeader("set-cookie");
  answer.setHeader("cache-control", after.cacheControl);
  for (const name of before.names.filter((name) => !after.names.includes(name))) answer.removeHeader(name);
}

function headerFieldsOf(answer: NodeAnswer): Fields {
  const valuesOf = (name: string) => [answer.getHeader(name) ?? []].flat().map(String);
  return {
    names: answer.getHeaderNames(),
    cookies: valuesOf("set-cookie"),
    cacheControl: valuesOf("cache-control").join(", "),
  };
}

/** Headers with the methods of a Node.js response. */
const toAnswer = (headers: Headers): NodeAnswer => ({
  getHeader: (name) => (name === "set-cookie" ? headers.getSetCookie() : (headers.get(name) ?? undefined)),
  getHeaderNames: () => [...headers.keys()],
  setHeader: (name, value) => {
    const [first = "", ...rest] = [value].flat();
    headers.set(name, first);
    for (const one of rest) headers.append(name, one);
  },
  removeHeader: (name) => headers.delete(name),
});

const toLine = (cookie: Cookie | string): string => (typeof cookie === "string" ? cookie : serializeCookie(cookie));

/** Keeps the later of two cookies with the same name. `name` and `name.0` count as the same, because they hold one value. */
function mergeLines(before: readonly string[], lines: readonly string[]): string[] {
  const replaced = new Set(lines.map(stemOf));
  return [...before.filter((line) => !replaced.has(stemOf(line))), ...lines];
}

const stemOf = (line: string): string =>
  line
    .slice(0, line.indexOf("="))
    .trim()
    .replace(/\.\d{1,2}$/, "");

/**
 * Separates the cookies from a response, for frameworks with their own cookie API.
 *
 * @returns the response without cookies, which shares the body of the given one, and the cookies as values of `Set-Cookie`.
 */
export function takeCookies({ status, body, headers: given }: Response): {
  readonly response: Response;
  readonly cookies: readonly string[];
} {
  const headers = new Headers(given);
  headers.delete("set-cookie");
  return { response: new Response(body, { status, headers }), cookies: given.getSetCookie() };
}
