/**
 * Shared set-up of the hostile cases: an application, a hostile provider and a browser. Everything that goes through
 * `visit()` is held to the invariants of safety section 0 (U1 to U7, U9), without a word in the case. Test-only.
 */

import { Auth } from "@cardea/core";
import type { AuthConfig } from "@cardea/core/types";
import {
  type Browser,
  type Clock,
  createBrowser,
  createClock,
  createScriptedProvider,
  type ScriptedProvider,
  type Visit,
} from "@cardea/testing";
import { afterAll, afterEach, beforeEach, expect, onTestFinished, vi } from "vitest";
import { assertUndisturbed, assertUnknown } from "./bystander.ts";
import { Canaries, targetOf } from "./canaries.ts";
import { BASE, type CaseOptions, CLIENT_SECRET, COOKIE, makeConfig, ORIGIN, PASSWORD, SECRET } from "./fixture.ts";
import {
  assertAnswer,
  assertDeliveries,
  assertLog,
  type CaseFacts,
  ERROR_PAGE_VALUES,
  SIGNIN_PAGE_VALUES,
} from "./invariants.ts";
import { createRecorder, type Recorder, type VisitRecord } from "./records.ts";

/** A case in progress. */
export interface Case {
  readonly config: AuthConfig;
  readonly op: ScriptedProvider;
  readonly browser: Browser;
  /** `Auth(request, config)`, watched. */
  readonly visit: (request: Request) => Promise<Response>;
  /** A request that no browser would make: only the given headers. */
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  readonly logs: Recorder["logs"];
  readonly events: Recorder["events"];
  readonly visits: readonly VisitRecord[];
  /** Makes a value one that must not turn up anywhere. */
  readonly plant: Canaries["plant"];
  /** Ends the case before the test does, for tests of very many visits. */
  readonly end: () => Promise<unknown>;
  /** Names of the events so far. */
  eventNames(): string[];
  /** The browser's CSRF token. */
  csrfToken(): Promise<string>;
  /** A form of our own page: the token and `fields`. */
  post(path: string, fields?: Readonly<Record<string, string>>, headers?: HeadersInit): Promise<Visit>;
  /** Signs in with {@link PASSWORD}; returns the answer. */
  signIn(fields?: Readonly<Record<string, string>>): Promise<Visit>;
  /** Signs in through `op` from the built-in page, all redirects followed; the page after it is a 404. */
  signInWithOp(callbackUrl?: string): Promise<Visit>;
  /** What GET `session` says to the browser. */
  session(): Promise<unknown>;
}

export { BASE, COOKIE, ORIGIN, PASSWORD, SECRET } from "./fixture.ts";

const records = new WeakMap<Response, VisitRecord>();
const endings: (() => Promise<void>)[] = [];
let printed: string[] = [];
/** Whether a case of this file has visited an application. */
let isVisited = false;

/** Watches every case of a test file. Called by watch-cases.ts for each file; this module is run once for all of them. */
export function watchCases(): void {
  isVisited = false;
  beforeEach(() => {
    printed = [];
    for (const method of ["error", "warn", "debug", "log", "info"] as const) {
      vi.spyOn(console, method).mockImplementation((...values) => void printed.push(values.map(String).join(" ")));
    }
  });

  afterEach(async () => {
    const ended = endings.splice(0);
    const unexpected = printed;
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    for (const end of ended) await end();
    expect(unexpected, "nothing is written past the configured logger").toEqual([]);
  });

  afterAll(() => (isVisited ? assertUndisturbed() : undefined));
}

/** A clock in place of the real one until the case ends; it stands still until it is moved. */
export function installClock(start?: string): Clock {
  const clock = createClock(start);
  const installed = clock.install();
  // By the case itself: cases of a file that `watchCases` does not know would leave theirs to the next file of the worker.
  onTestFinished(() => installed.restore());
  return clock;
}

/** Every cookie of a browser as a `Cookie` header, for requests that are not the browser's own. */
export function cookieHeader(browser: Browser): string {
  const pairs = browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
  return pairs.join("; ");
}

/** Milliseconds of the processor that no answer takes, and any takes whose algorithm an attacker can slow down. */
export const AT_ONCE = 2_000;

/** The processor time of the fastest of a few answers, in milliseconds: other processes do not count, and other tests of this one seldom. */
export async function fastest(ask: () => Promise<Response>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 5; n++) {
    const before = process.cpuUsage();
    await ask();
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return Math.min(...times);
}

/** What was written to the console so far; a case that calls this expects it. */
export function takePrinted(): string[] {
  return printed.splice(0);
}

/** Starts a case. Its end is watched: see {@link watchCases}. */
export function setUp(options: CaseOptions = {}): Case {
  const origin = options.origin ?? ORIGIN;
  const op = createScriptedProvider({ clientSecret: CLIENT_SECRET, ...options.op });
  const recorder = createRecorder();
  const canaries = new Canaries();
  for (const secret of [SECRET, CLIENT_SECRET, PASSWORD]) canaries.plant(secret);
  const config = makeConfig(options, op, recorder);
  const facts = factsOf(options, config, op, origin);
  const visits: VisitRecord[] = [];
  const visit = async (request: Request): Promise<Response> => {
    const response = await watch(request, config, recorder);
    const record = recordOf(response);
    visits.push(record);
    isVisited = true;
    canaries.learn(record);
    assertAnswer(record, facts);
    return response;
  };
  const ending = () => {
    assertDeliveries(visits, facts);
    return endCase(op, recorder, canaries, visits);
  };
  endings.push(ending);
  const end = () => Promise.all(endings.splice(endings.indexOf(ending), 1).map((last) => last()));
  const routes = { [op.issuer]: op.handler, ...options.routes };
  const browser = createBrowser(visit, { origin, routes });
  const send = (path: string, init?: RequestInit) => visit(new Request(new URL(path, origin), init));
  const { logs, events } = recorder;
  const plant: Canaries["plant"] = (value, place) => canaries.plant(value, place);
  return { config, op, browser, visit, send, logs, events, visits, plant, end, ...journeys(browser, recorder) };
}

/** What happened during the visit that a response answers. */
export function recordOf(response: Response): VisitRecord {
  const record = records.get(response);
  if (record === undefined) throw new Error("This response did not come through visit().");
  return record;
}

/**
 * REJ: a program gets 4xx, a person a documented `error` or a page with 403; the session is neither issued nor cleared,
 * no one is signed in or out, and one line in the log says why.
 */
export function expectRefused(response: Response, sessionCookie: string = COOKIE.session): void {
  const visit = recordOf(response);
  const error = targetOf(visit)?.searchParams.get("error") ?? null;
  if (error === null) expect(visit.status, "REJ").toBeGreaterThanOrEqual(400);
  else expect([...ERROR_PAGE_VALUES, ...SIGNIN_PAGE_VALUES], "REJ").toContain(error);
  const touched = visit.headers.getSetCookie().filter((line) => line.startsWith(sessionCookie));
  expect(touched, "REJ leaves the session cookie").toEqual([]);
  const decided = visit.events.map(({ name }) => name).filter((name) => name !== "session");
  expect(decided, "REJ emits no event").toEqual([]);
  const reasons = visit.logs.filter(({ level, text }) => level !== "debug" || /^[A-Z]\w+: /.test(text));
  expect(
    reasons.map(({ text }) => text),
    "REJ is logged once",
  ).toHaveLength(1);
}

function factsOf(options: CaseOptions, config: AuthConfig, op: ScriptedProvider, origin: string): CaseFacts {
  const secure = config.useSecureCookies ?? origin.startsWith("https:");
  const pages = Object.values(config.pages ?? {}).flatMap((page) =>
    page === undefined ? [] : [new URL(page, origin)],
  );
  return {
    allowedTargets: [origin, ...pages.map((url) => `${url.origin}${url.pathname}`), ...(options.alsoTo ?? [])],
    errorPage: new URL(config.pages?.error ?? `${config.basePath ?? "/auth"}/error`, origin).href,
    providerOrigin: new URL(op.issuer).origin,
    sessionCookie: config.cookies?.sessionToken?.name ?? `${secure ? "__Host-" : ""}cardea.session-token`,
    secure,
    defaultCookies: config.cookies === undefined && !JSON.stringify(options.provider ?? {}).includes("form_post"),
    mayFail: options.mayFail === true,
  };
}

async function watch(request: Request, config: AuthConfig, recorder: Recorder): Promise<Response> {
  const { method, url } = request;
  const asked = { method, url: new URL(url), requestHeaders: new Headers(request.headers), logs: [], events: [] };
  const started = performance.now();
  const response = await recorder.attribute(asked, () => Auth(request, config));
  const milliseconds = performance.now() - started;
  const { status, headers } = response;
  records.set(response, { ...asked, status, headers, body: await response.clone().text(), milliseconds });
  return response;
}

async function endCase(op: ScriptedProvider, recorder: Recorder, canaries: Canaries, visits: VisitRecord[]) {
  const { codes, accessTokens, refreshTokens, idTokens } = op.issued;
  for (const value of [...codes, ...accessTokens, ...refreshTokens, ...idTokens]) canaries.plant(value);
  for (const { params } of op.calls.token) canaries.plant(params.get("code_verifier"));
  const records = [...recorder.logs, ...recorder.steps];
  for (const record of records) assertLog(record);
  const answers = visits.flatMap((visit) => canaries.leaksInAnswer(visit));
  const logged = records.flatMap((record) => canaries.leaksIn(`log ${record.level}`, record.values));
  expect([...answers, ...logged], "U4 canaries stay where they belong").toEqual([]);
  const cookies = visits.flatMap(({ headers }) => headers.getSetCookie().map((line) => line.split(";")[0]));
  if (cookies.length > 0) await assertUnknown(cookies.slice(-20).join("; "));
}

type Journeys = Pick<Case, "eventNames" | "csrfToken" | "post" | "signIn" | "signInWithOp" | "session">;

function journeys(browser: Browser, recorder: Recorder): Journeys {
  const csrfToken = async () => parseToken(await (await browser.fetch(`${BASE}/csrf`)).json());
  const post: Case["post"] = async (path, fields = {}, headers = {}) =>
    browser.navigate(path, { form: { csrfToken: await csrfToken(), ...fields }, headers });
  return {
    eventNames: () => recorder.events.map(({ name }) => name),
    csrfToken,
    post,
    signIn: (fields) => post(`${BASE}/callback/credentials`, { username: "ann", password: PASSWORD, ...fields }),
    signInWithOp: async (callbackUrl = "/") => {
      const page = await browser.navigate(`${BASE}/signin?callbackUrl=${encodeURIComponent(callbackUrl)}`);
      return browser.submit(page, { action: `${BASE}/signin/op`, follow: "all" });
    },
    session: async () => (await browser.fetch(`${BASE}/session`)).json(),
  };
}

function parseToken(body: unknown): string {
  return (body as { csrfToken: string }).csrfToken;
}
