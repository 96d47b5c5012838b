/** What holds for every answer and every log record, whatever was asked (safety, section 0). Test-only. */
import { expect } from "vitest";
import { targetOf } from "./canaries.ts";
import { type LogRecord, stringsIn, type VisitRecord } from "./records.ts";

/** What the invariants need to know of a case. */
export interface CaseFacts {
  /** Where the browser may be sent: our origin, the configured pages, and what a case allows besides; `*`: anywhere. */
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

/** Asserts U1 to U3 and U5 on one answer, as far as they can be judged without knowing the case. */
export function assertAnswer(visit: VisitRecord, facts: CaseFacts): void {
  const { status, headers, url } = visit;
  const at = `${visit.method} ${url.href.slice(0, 200)} → ${status}`;
  expect(visit.milliseconds, `U1 ${at} settles`).toBeLessThan(MAX_MILLISECONDS);
  if (!facts.mayFail && !/\/error\/?$/.test(url.pathname)) expect(status, `U1 ${at} is no 5xx`).toBeLessThan(500);
  assertSession(visit, facts, at);
  assertTarget(visit, facts, at);
  expect(headers.get("cache-control"), `U5 ${at} is not stored`).toContain("no-store");
  expect(headers.get("x-content-type-options") ?? "nosniff", `U5 ${at}`).toBe("nosniff");
  if (visit.body !== "") expect(headers.get("x-content-type-options"), `U5 ${at}`).toBe("nosniff");
  const crossOrigin = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
  expect(crossOrigin, `H019 ${at} allows no other origin`).toEqual([]);
  if (headers.get("content-type")?.startsWith("text/html") === true) assertPage(visit, at);
  for (const line of headers.getSetCookie()) assertCookie(line, facts, at);
}

/** Whether an answer says that what was asked for did not happen. */
function isFailure(visit: VisitRecord): boolean {
  return visit.status >= 400 || targetOf(visit)?.searchParams.has("error") === true;
}

/** U2: a session comes from a sign-in or from a session, never with a failure. */
function assertSession(visit: VisitRecord, facts: CaseFacts, at: string): void {
  const signedIn = visit.events.some(({ name }) => name === "signIn");
  const issued = visit.headers.getSetCookie().filter((line) => {
    const [name = "", value = ""] = (line.split(";")[0] ?? "").split(/=(.*)/s);
    return value !== "" && (name === facts.sessionCookie || /^\.\d+$/.test(name.slice(facts.sessionCookie.length)));
  });
  if (isFailure(visit)) {
    expect(issued, `U2 ${at} failed and issues no session`).toEqual([]);
    expect(signedIn, `U2 ${at} failed and emits no signIn`).toBe(false);
  }
  // `prove`: an action of an extension that gives the session of a request another token.
  if (issued.length > 0 && !/\/(?:session|prove)\/?$/.test(visit.url.pathname)) {
    expect(signedIn, `U2 ${at} issues a session, so a user signed in`).toBe(true);
  }
}

/** U3: a clean, absolute location of ours, or the provider's where a sign-in begins. */
function assertTarget(visit: VisitRecord, facts: CaseFacts, at: string): void {
  const location = visit.headers.get("location");
  if (location !== null) {
    expect(location, `U3 ${at}: Location is absolute ASCII without specials`).toMatch(
      /^(?:https?:\/\/|\/(?!\/))[!-[\]-~]+$/,
    );
    expect([302, 303], `U3 ${at}: method is not kept`).toContain(visit.status);
  }
  const target = targetOf(visit);
  if (target === undefined) return;
  const begins = visit.method === "POST" && /\/signin\/[^/]+\/?$/.test(visit.url.pathname);
  const allowed = [...facts.allowedTargets, ...(begins ? [facts.providerOrigin] : [])];
  const isAllowed = allowed.some((one) => ["*", target.origin, `${target.origin}${target.pathname}`].includes(one));
  expect(isAllowed, `U3 ${at}: ${target.href.slice(0, 200)} is one of ${allowed.join(", ")}`).toBe(true);
  expect(target.username + target.password, `U3 ${at}: no credentials in the location`).toBe("");
  const carried = target.searchParams.get("callbackUrl");
  if (carried !== null && facts.allowedTargets.includes(target.origin)) {
    const onward = URL.canParse(carried, target) ? new URL(carried, target) : null;
    const origins = facts.allowedTargets.includes("*") ? [target.origin] : facts.allowedTargets;
    expect(origins, `U3 ${at}: callbackUrl ${carried.slice(0, 100)} was checked`).toContain(onward?.origin);
  }
  const error = target.searchParams.get("error");
  if (error !== null && facts.allowedTargets.includes(target.origin)) {
    const onErrorPage = target.pathname === new URL(facts.errorPage).pathname;
    const documented = onErrorPage ? ERROR_PAGE_VALUES : SIGNIN_PAGE_VALUES;
    expect(documented, `spec 7 ${at}: a documented value of that page`).toContain(error);
  }
}

/** The one script there is, for passkeys: its URL and its hash, in the policy and in the page. */
const OWN_SCRIPT_POLICY = /script-src https?:\/\/[^/ ;]+[^ ;]*\/webauthn-script 'sha256-[A-Za-z0-9+/]{43}='(?=;)/;
const OWN_SCRIPT =
  /<script src="https?:\/\/[^/"]+[^"]*\/webauthn-script\?v=[A-Za-z0-9]+" integrity="sha256-[A-Za-z0-9+/]{43}=" defer><\/script>/;

/** Scripts, handlers in a tag, addresses that run, and elements that bring another page in; text may say what it likes. */
export const SCRIPTING = /<(?:script|iframe|object|base)|<[^>]*\son[a-z]+\s*=|(?:href|src|action)="\s*javascript:/i;

function assertPage({ headers, body }: VisitRecord, at: string): void {
  const policy = headers.get("content-security-policy") ?? "";
  for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "object-src 'none'"]) {
    expect(policy, `U5 ${at}: Content-Security-Policy`).toContain(directive);
  }
  expect(policy.replace(OWN_SCRIPT_POLICY, ""), `U5 ${at}: no inline anything`).not.toMatch(
    /unsafe-|script-src(?! 'none')/,
  );
  expect(headers.get("referrer-policy"), `U5 ${at}`).toMatch(/^(?:no-referrer|same-origin)$/);
  expect(headers.get("cross-origin-opener-policy"), `H296 ${at}`).toBe("same-origin");
  expect(body.replace(OWN_SCRIPT, ""), `H292 ${at}: no script in a page`).not.toMatch(SCRIPTING);
}

/** Contract 4, and what browsers keep: RFC 6265bis §4.1.3, §5.6. */
function assertCookie(line: string, facts: CaseFacts, at: string): void {
  const [pair = "", ...attributes] = line.split("; ");
  expect(pair.length, `H051 ${at}: ${pair.slice(0, 40)} is kept by browsers`).toBeLessThanOrEqual(4096);
  expect(line, `H048 ${at}: a clean line`).toMatch(/^[ -~]+$/);
  if (!facts.defaultCookies) return;
  const names = attributes.map((attribute) => attribute.toLowerCase());
  expect(names, `H048 ${line.slice(0, 60)}`).toEqual(expect.arrayContaining(["httponly", "path=/"]));
  expect(names.includes("secure"), `H048 ${line.slice(0, 60)}`).toBe(facts.secure);
  expect(pair.startsWith("__Host-"), `H048 ${line.slice(0, 60)}`).toBe(facts.secure);
  expect(
    names.some((name) => name.startsWith("domain")),
    `H048 ${line.slice(0, 60)}`,
  ).toBe(false);
  expect(names, `H048 ${line.slice(0, 60)}`).toContain("samesite=lax");
}

/** U6: one bounded line without raw control characters, and a stable type. */
export function assertLog({ level, text, values }: LogRecord): void {
  const at = `U6 ${level} "${text.slice(0, 100)}"`;
  for (const line of values.flatMap((value) => stringsIn(value))) {
    expect(line.length, `${at} is bounded`).toBeLessThanOrEqual(MAX_LOG_LENGTH);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that must not be there
    expect(line, `${at} is one line`).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
  }
  if (level === "error") expect(values[0], at).toMatchObject({ type: expect.stringMatching(/^[A-Z][A-Za-z]+$/) });
  if (level === "warn") expect(text, at).toMatch(/^[A-Za-z][\w-]*: /);
}
