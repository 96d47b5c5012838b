/** What holds for every answer and every log record, whatever was asked (safety, section 0). Test-only. */
import { createHash } from "node:crypto";
import { expect } from "vitest";
import { targetOf } from "./canaries.ts";
import { type LogRecord, stringsIn, type VisitRecord } from "./records.ts";

/** What the invariants need to know of a case. */
export interface CaseFacts {
  /** Where the browser may be sent: our origin, the configured pages, and what a case allows besides, such as `myapp:`; `*`: anywhere on http(s). */
  readonly allowedTargets: readonly string[];
  /** URL of the error page, built in or configured, without query. */
  readonly errorPage: string;
  /** Origin of the provider; only a POST `signin` leads there. */
  readonly providerOrigin: string;
  readonly sessionCookie: string;
  readonly secure: boolean;
  /** Cookies have the attributes that contract 4 gives them. */
  readonly defaultCookies: boolean;
  /** A 5xx is what the case is about. */
  readonly mayFail: boolean;
}

/** Every request is answered well within this time, on a busy machine too. */
const MAX_MILLISECONDS = 30_000;
const MAX_LOG_LENGTH = 1_100;
/** Values of `error` that the built-in pages explain (spec 7). */
export const ERROR_PAGE_VALUES = ["Configuration", "AccessDenied", "Verification", "SignOutIncomplete"];
export const SIGNIN_PAGE_VALUES = [
  ...["Signin", "OAuthSignin", "OAuthCallbackError", "OAuthCreateAccount", "EmailCreateAccount", "Callback"],
  ...["OAuthAccountNotLinked", "EmailSignin", "CredentialsSignin", "SessionRequired", "SessionEnded"],
];

/**
 * Fails unless something holds. `expect()` takes a hundred times as long as a comparison, and these are asked of every answer and
 * of every line that is logged.
 */
function hold(isSo: boolean, message: string, seen: unknown): void {
  if (!isSo) expect.fail(`${message}; seen: ${JSON.stringify(seen)}`);
}

/** Asserts U1 to U3 and U5 on one answer, as far as they can be judged without knowing the case. */
export function assertAnswer(visit: VisitRecord, facts: CaseFacts): void {
  const { status, headers, url, milliseconds } = visit;
  const at = `${visit.method} ${url.href.slice(0, 200)} → ${status}`;
  hold(milliseconds < MAX_MILLISECONDS, `U1 ${at} settles`, milliseconds);
  hold(status < 500 || facts.mayFail || /\/error\/?$/.test(url.pathname), `U1 ${at} is no 5xx`, status);
  assertSession(visit, facts, at);
  assertTarget(visit, facts, at);
  const caching = headers.get("cache-control");
  hold(caching?.includes("no-store") === true, `U5 ${at} is not stored`, caching);
  const sniffing = headers.get("x-content-type-options");
  hold(sniffing === "nosniff" || (sniffing === null && visit.body === ""), `U5 ${at} has its own type`, sniffing);
  const referrer = headers.get("referrer-policy") ?? "";
  hold(["no-referrer", "same-origin"].includes(referrer), `U5 ${at} tells no other site its URL`, referrer);
  const crossOrigin = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
  hold(crossOrigin.length === 0, `H019 ${at} allows no other origin`, crossOrigin);
  if (headers.get("content-type")?.startsWith("text/html") === true) assertPage(visit, at);
  for (const line of headers.getSetCookie()) assertCookie(line, facts, at);
}

/** Whether an answer says that what was asked for did not happen. */
function isFailure(visit: VisitRecord): boolean {
  return visit.status >= 400 || targetOf(visit)?.searchParams.has("error") === true;
}

const isSignIn = ({ events }: VisitRecord) => events.some(({ name }) => name === "signIn");
/** What may be delivered twice: a callback, and the form that starts fresh. */
const isCallback = ({ url }: VisitRecord) => /\/(?:callback\/[^/]+|confirm-address)\/?$/.test(url.pathname);

/** The session cookies that an answer sets. */
function sessionsIn({ headers }: VisitRecord, { sessionCookie }: CaseFacts): string[] {
  return headers.getSetCookie().filter((line) => {
    const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
    return value !== "" && (name === sessionCookie || /^\.\d+$/.test(name.slice(sessionCookie.length)));
  });
}

/** U2 for callbacks that are delivered twice at once: both get the session of one sign-in, and no other callback gets one. */
export function assertDeliveries(visits: readonly VisitRecord[], facts: CaseFacts): void {
  for (const visit of visits) {
    const issued = sessionsIn(visit, facts);
    if (issued.length === 0 || isSignIn(visit) || !isCallback(visit)) continue;
    const isSame = (one: VisitRecord) => one.method === visit.method && one.url.href === visit.url.href;
    const first = visits.find((one) => isSignIn(one) && isSame(one));
    const shared = first === undefined ? [] : sessionsIn(first, facts);
    hold(issued.join() === shared.join(), `U2 ${visit.url.pathname} issues the session of its other delivery`, issued);
  }
}

/** U2: a session comes from a sign-in or from a session, never with a failure. */
function assertSession(visit: VisitRecord, facts: CaseFacts, at: string): void {
  const signedIn = isSignIn(visit);
  const issued = sessionsIn(visit, facts);
  if (isFailure(visit)) {
    hold(issued.length === 0, `U2 ${at} failed and issues no session`, issued);
    hold(!signedIn, `U2 ${at} failed and emits no signIn`, signedIn);
  }
  // `prove`: an action of an extension that gives the session of a request another token.
  // Callbacks are compared when the case ends: see assertDeliveries().
  const mayIssue = signedIn || isCallback(visit) || /\/(?:session|prove)\/?$/.test(visit.url.pathname);
  hold(issued.length === 0 || mayIssue, `U2 ${at} issues a session, so a user signed in`, issued);
}

/** U3: a clean, absolute location of ours, or the provider's where a sign-in begins, or begins again. */
function assertTarget(visit: VisitRecord, facts: CaseFacts, at: string): void {
  const location = visit.headers.get("location");
  if (location !== null) {
    const isClean = /^(?:[a-z]+:|\/(?!\/))[!-[\]-~]+$/.test(location);
    hold(isClean, `U3 ${at}: Location is absolute ASCII without specials`, location);
    hold([302, 303].includes(visit.status), `U3 ${at}: method is not kept`, visit.status);
  }
  const target = targetOf(visit);
  if (target === undefined) return;
  const begins = visit.method === "POST" && /\/signin\/[^/]+\/?$/.test(visit.url.pathname);
  const again = isCallback(visit) && target.searchParams.has("state");
  const allowed = [...facts.allowedTargets, ...(begins || again ? [facts.providerOrigin] : [])];
  const isHttp = /^https?:$/.test(target.protocol);
  const places = isHttp ? ["*", target.origin, `${target.origin}${target.pathname}`] : [target.protocol];
  const isAllowed = allowed.some((one) => places.includes(one));
  hold(isAllowed, `U3 ${at}: the target is one of ${allowed.join(", ")}`, target.href.slice(0, 200));
  hold(target.username + target.password === "", `U3 ${at}: no credentials in the location`, target.username);
  if (!facts.allowedTargets.includes(target.origin)) return;
  const carried = target.searchParams.get("callbackUrl");
  if (carried !== null) {
    const onward = URL.canParse(carried, target) ? new URL(carried, target).origin : "";
    const origins = facts.allowedTargets.includes("*") ? [target.origin] : facts.allowedTargets;
    hold(origins.includes(onward), `U3 ${at}: the callbackUrl was checked`, carried.slice(0, 100));
  }
  const error = target.searchParams.get("error");
  const onErrorPage = target.pathname === new URL(facts.errorPage).pathname;
  const documented = onErrorPage ? ERROR_PAGE_VALUES : SIGNIN_PAGE_VALUES;
  hold(error === null || documented.includes(error), `spec 7 ${at}: a documented value of that page`, error);
}

/** The script for passkeys: its URL and its hash, in the policy and in the page. */
const PASSKEY_SOURCES = /script-src https?:\/\/[^/ ;]+[^ ;]*\/webauthn-script 'sha256-[A-Za-z0-9+/]{43}='/;
const PASSKEY_SCRIPT =
  /<script src="https?:\/\/[^/"]+[^"]*\/webauthn-script\?v=[A-Za-z0-9]+" integrity="sha256-[A-Za-z0-9+/]{43}=" defer><\/script>/;

/** The script of pages with a password field: the last element of the page. */
const PAGE_SCRIPT = /<script>([ -;=-~]+)<\/script>\n<\/body>/;

/** A page without its own scripts. */
export const withoutScripts = (body: string): string => body.replace(PASSKEY_SCRIPT, "").replace(PAGE_SCRIPT, "");

/** Its source in the policy; empty if the page has none. */
export function pageScriptSource(body: string): string {
  const [, script] = PAGE_SCRIPT.exec(body) ?? [];
  return script === undefined ? "" : ` 'sha256-${createHash("sha256").update(script).digest("base64")}'`;
}

/** Scripts, handlers in a tag, addresses that run, and elements that bring another page in; text may say what it likes. */
export const SCRIPTING = /<(?:script|iframe|object|base)|<[^>]*\son[a-z]+\s*=|(?:href|src|action)="\s*javascript:/i;

function assertPage({ headers, body }: VisitRecord, at: string): void {
  const policy = headers.get("content-security-policy") ?? "";
  for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "object-src 'none'"]) {
    hold(policy.includes(directive), `U5 ${at}: Content-Security-Policy has ${directive}`, policy);
  }
  const [sources = ""] = /script-src[^;]*(?=;)/.exec(policy) ?? [];
  const [passkeys = "script-src"] = PASSKEY_SOURCES.exec(policy) ?? [];
  const rest = sources.slice(passkeys.length);
  // The answer to HEAD has the policy of the page alone.
  const isOwn = body === "" ? /^(?: 'sha256-[\w+/]{43}=')?$/.test(rest) : rest === pageScriptSource(body);
  hold(isOwn && !policy.includes("unsafe-"), `U5 ${at}: no script but those of the page`, policy);
  const referrer = headers.get("referrer-policy") ?? "";
  hold(/^(?:no-referrer|same-origin)$/.test(referrer), `U5 ${at}: Referrer-Policy`, referrer);
  const opener = headers.get("cross-origin-opener-policy");
  hold(opener === "same-origin", `H296 ${at}: Cross-Origin-Opener-Policy`, opener);
  hold(!SCRIPTING.test(withoutScripts(body)), `H292 ${at}: no script in a page`, body);
}

/** Contract 4, and what browsers keep: RFC 6265bis §4.1.3, §5.6. */
function assertCookie(line: string, facts: CaseFacts, at: string): void {
  const [pair = "", ...attributes] = line.split("; ");
  hold(pair.length <= 4096, `H051 ${at}: ${pair.slice(0, 40)} is kept by browsers`, pair.length);
  hold(/^[ -~]+$/.test(line), `H048 ${at}: a clean line`, line);
  if (!facts.defaultCookies) return;
  const names = attributes.map((attribute) => attribute.toLowerCase());
  const place = `H048 ${line.slice(0, 60)}`;
  for (const name of ["path=/", "samesite=lax"]) hold(names.includes(name), `${place}: ${name}`, names);
  // Scripts read one cookie: that the session changed.
  const isReadable = /^(?:__Host-)?cardea\.session-mark=[\w-]{12}$|^[^=]*cardea\.session-mark=$/.test(pair);
  hold(names.includes("httponly") !== isReadable, `${place}: httponly`, names);
  hold(names.includes("secure") === facts.secure, `${place}: secure is ${facts.secure}`, names);
  hold(pair.startsWith("__Host-") === facts.secure, `${place}: the prefix is ${facts.secure}`, pair);
  hold(!names.some((name) => name.startsWith("domain")), `${place}: no domain`, names);
}

/** U6: one bounded line without raw control characters, and a stable type. */
export function assertLog({ level, text, values }: LogRecord): void {
  const at = `U6 ${level} "${text.slice(0, 100)}"`;
  for (const line of values.flatMap((value) => stringsIn(value))) {
    hold(line.length <= MAX_LOG_LENGTH, `${at} is bounded`, line);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be there
    hold(!/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(line), `${at} is one line`, line);
  }
  if (level === "error") expect(values[0], at).toMatchObject({ type: expect.stringMatching(/^[A-Z][A-Za-z]+$/) });
  if (level === "warn") hold(/^[A-Za-z][\w-]*: /.test(text), at, text);
}
