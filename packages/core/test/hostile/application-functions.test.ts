/** Functions of the application that return what they must not, or never settle: each ends in one documented outcome. */

import { AccessDenied, CredentialsSignin } from "@cardea/core/errors";
import type { AuthConfig } from "@cardea/core/types";
import { afterEach, describe, expect, it, vi } from "vitest";
import { APPLICATION_TIMEOUT_MS } from "../harness/fixture.ts";
import { BASE, type Case, COOKIE, cookieHeader, expectRefused, ORIGIN, recordOf, setUp } from "../harness/harness.ts";

const NEVER = new Promise<never>(() => {});
/** Functions can be thenables as well, and `await` waits for them. */
const never = ["then"].map((name) => Object.defineProperty(() => undefined, name, { value: () => undefined }));

const WRONG: readonly (readonly [string, unknown])[] = [
  ["nothing", undefined],
  ["null", null],
  ["a number", 7],
  ["NaN", Number.NaN],
  ["a boolean", false],
  ["an empty string", ""],
  ["an array", []],
  ["an object", {}],
  ["a function", () => "x"],
  ["a symbol", Symbol("x")],
  ["a response", new Response(null)],
  ["a promise of a number", Promise.resolve(7)],
];
const STUCK: readonly (readonly [string, unknown])[] = [
  ["a promise that never settles", NEVER],
  ["a thenable function that never settles", never[0]],
];

/** What a function of the application answers, typed as it should be. */
const wrong = (value: unknown) => value as never;

/** Lets time pass until an answer is there. */
async function outwait(asked: Promise<Response>): Promise<Response> {
  let isDone = false;
  asked.finally(() => {
    isDone = true;
  });
  const step = async () => {
    await vi.advanceTimersByTimeAsync(APPLICATION_TIMEOUT_MS);
    return isDone;
  };
  await vi.waitUntil(step, { timeout: 20_000 });
  return asked;
}

/** A case whose functions go wrong when they are told to. */
function setUpWith(configure: (answer: <T>(right: T) => T) => Partial<AuthConfig>) {
  let fault: { readonly value: unknown } | undefined;
  const config = configure((right) => (fault === undefined ? right : wrong(fault.value)));
  const c = setUp({ config, mayFail: true });
  const set = (next: typeof fault) => {
    fault = next;
  };
  return { c, break: (value: unknown) => set({ value }), repair: () => set(undefined) };
}

const errorsOf = (answer: Response) =>
  recordOf(answer)
    .logs.filter(({ level }) => level === "error")
    .map(({ values }) => Object(values[0]).type);

async function expectLanding(c: Case, visit: Promise<Response>, error: string): Promise<void> {
  const answer = await visit;
  expectRefused(answer);
  expect(new URL(answer.headers.get("location") ?? "", ORIGIN).searchParams.get("error")).toBe(error);
  expect(c.browser.cookies.get(COOKIE.session)).toBeUndefined();
}

/** The form of the credentials provider, sent without following the redirect. */
async function sendPassword(c: Case): Promise<Response> {
  const csrfToken = await c.csrfToken();
  const body = new URLSearchParams({ csrfToken, username: "ann", password: "canary-password-hunter2" });
  return c.send(`${BASE}/callback/credentials`, { method: "POST", headers: { cookie: cookieHeader(c.browser) }, body });
}

describe("jwt.encode", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(WRONG)("that returns %s issues no session; the next sign-in succeeds", async (_, value) => {
    const { c, ...fault } = setUpWith((answer) => ({ jwt: { encode: () => answer(Promise.resolve("token")) } }));
    fault.break(value);
    await expectLanding(c, sendPassword(c), "Configuration");
    fault.repair();
    const answer = await sendPassword(c);
    expect(answer.headers.getSetCookie().join()).toContain(`${COOKIE.session}=token;`);
  });

  it.each(STUCK)("that returns %s issues no session after thirty seconds", async (_, value) => {
    const { c, ...fault } = setUpWith((answer) => ({ jwt: { encode: () => answer(Promise.resolve("token")) } }));
    await c.csrfToken();
    fault.break(value);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    await expectLanding(c, outwait(sendPassword(c)), "Configuration");
  });

  it.each(WRONG)("that returns %s at a renewal leaves the session as it was", async (_, value) => {
    let isBroken = false;
    const { encode } = await import("@cardea/core/jwt");
    const c = setUp({
      config: {
        session: { updateAge: 0 },
        jwt: { encode: (params) => (isBroken ? wrong(value) : encode(params)) },
      },
      mayFail: true,
    });
    await c.signIn();
    isBroken = true;
    const answer = await c.send(`${BASE}/session`, { headers: { cookie: cookieHeader(c.browser) } });
    expect(await answer.json()).toMatchObject({ user: { name: "ann" } });
    expect([answer.headers.getSetCookie(), errorsOf(answer)]).toEqual([[], ["JWTSessionError"]]);
  });
});

describe("jwt.decode", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const isAcceptable = (value: unknown) => value === null || (typeof value === "object" && !Array.isArray(value));

  it.each(WRONG.filter(([, value]) => !isAcceptable(value) || value instanceof Promise))(
    "that returns %s means no session, and the cookie stays",
    async (_, value) => {
      const c = setUp({ config: { jwt: { decode: () => wrong(value) } }, mayFail: true });
      const answer = await c.send(`${BASE}/session`, { headers: { cookie: `${COOKIE.session}=token` } });
      expect([answer.status, await answer.json(), answer.headers.getSetCookie()]).toEqual([200, null, []]);
      expect(errorsOf(answer)).toEqual(["JWTSessionError"]);
    },
  );

  it.each(STUCK)("that returns %s means no session after thirty seconds, and the cookie stays", async (_, value) => {
    const c = setUp({ config: { jwt: { decode: () => wrong(value) } }, mayFail: true });
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const answer = await outwait(c.send(`${BASE}/session`, { headers: { cookie: `${COOKIE.session}=token` } }));
    expect([answer.status, await answer.json(), answer.headers.getSetCookie()]).toEqual([200, null, []]);
  });
});

describe("callbacks.signIn and allowAttempt", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(WRONG.filter(([, value]) => value !== ""))("signIn that returns %s denies the sign-in", async (_, value) => {
    const c = setUp({ config: { callbacks: { signIn: () => wrong(value) } } });
    await expectLanding(c, sendPassword(c), "AccessDenied");
  });

  it.each(WRONG)("allowAttempt that returns %s denies the attempt", async (_, value) => {
    const c = setUp({ config: { callbacks: { allowAttempt: () => wrong(value) } } });
    await expectLanding(c, sendPassword(c), "CredentialsSignin");
  });

  it.each(STUCK)("signIn and allowAttempt that return %s deny it after thirty seconds", async (_, value) => {
    for (const [name, error] of [
      ["signIn", "AccessDenied"],
      ["allowAttempt", "Callback"],
    ] as const) {
      const c = setUp({ config: { callbacks: { [name]: () => wrong(value) } }, mayFail: true });
      await c.csrfToken();
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      await expectLanding(c, outwait(sendPassword(c)), error);
      vi.useRealTimers();
    }
  });
});

describe("callbacks.redirect", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each([...WRONG, ["a script", "javascript:alert(1)"], ["a control character", "/\u0000x"]] as const)(
    "that returns %s leads to the application",
    async (_, value) => {
      const c = setUp({ config: { callbacks: { redirect: () => wrong(value) } }, mayFail: true });
      const answer = await c.signIn({ callbackUrl: "/dash" });
      expect([ORIGIN, `${ORIGIN}/`]).toContain(answer.redirectsTo);
    },
  );

  it.each(STUCK)("that returns %s leads to the application after thirty seconds", async (_, value) => {
    const c = setUp({ config: { callbacks: { redirect: () => wrong(value) } }, mayFail: true });
    await c.csrfToken();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const csrfToken = await c.csrfToken();
    const body = new URLSearchParams({ csrfToken, callbackUrl: "/dash" });
    const headers = { cookie: cookieHeader(c.browser) };
    const answer = await outwait(c.send(`${BASE}/signout`, { method: "POST", headers, body }));
    expect([answer.status, [ORIGIN, `${ORIGIN}/`].includes(answer.headers.get("location") ?? "")]).toEqual([302, true]);
  });
});

describe("errors of the application in warnings", () => {
  const PHRASE = "correct horse battery";

  /** Sends the phrase as the password; returns the answer and its warning. */
  async function send(authorize: () => never, signIn: () => boolean = () => true) {
    const staff = { id: "staff", name: "staff", type: "credentials", credentials: {}, authorize } as const;
    const c = setUp({ providers: [staff], config: { callbacks: { signIn } } });
    const answer = await c.post(`${BASE}/callback/staff`, { username: "ann", password: PHRASE });
    return {
      answer,
      line: c.logs
        .map(({ text }) => text)
        .filter((text) => /^(?:CredentialsSignin|AccessDenied): /.test(text))
        .join(),
    };
  }

  const raise = (error: unknown) => (): never => {
    throw error;
  };
  const refuse = (cause: unknown, message = "x") => raise(new CredentialsSignin(message, wrong({ cause })));

  it.each([
    ["the cause of a refusal", refuse(new Error(`bind failed: ${PHRASE}`)), "bind failed: [redacted]"],
    ["an error of the library as the cause", refuse(new AccessDenied(`no ${PHRASE}`)), "no [redacted]"],
    ["the message of a refusal", refuse(undefined, `bind failed: ${PHRASE}`), "bind failed: [redacted]"],
    ["a fact of a refusal", refuse({ reason: `for ${PHRASE}` }), "for [redacted]"],
  ])("contain no secret without a digit: %s", async (_, authorize, expected) => {
    const { answer, line } = await send(authorize);
    expect(answer.redirectsTo).toContain("error=CredentialsSignin");
    expect(line).toContain(expected);
    expect(line).not.toContain(PHRASE);
  });

  it("contain none that callbacks.signIn throws", async () => {
    const { line } = await send(
      wrong(() => ({ id: "ann" })),
      raise(new Error(`no room for ${PHRASE}`)),
    );
    expect(line).toMatch(/^AccessDenied: no room for \[redacted\] .*"err":"Error: no room for \[redacted\]"/);
    expect(line).not.toContain(PHRASE);
  });

  const circle: Record<string, unknown> = { provider: "ldap" };
  circle.err = circle;
  it.each([
    ["a bigint", { port: 389n }, /"port":"389"/],
    ["a circle", circle, /"provider":"ldap"/],
    ["an object as its code", { code: { circle }, status: 49 }, /"status":49/],
    ["text", "x", /"code":"credentials"/],
    ["null as its error", { err: null, status: 49 }, /"status":49/],
    ["a getter that throws", Object.defineProperty({}, "reason", { enumerable: true, get: raise(1) }), /unreadable/],
    ["other members", { entry: "canary-of-a-directory", status: 49 }, /"status":49/],
  ])("need not be able to be serialized: %s", async (_, cause, expected) => {
    const { answer, line } = await send(refuse(cause));
    expect(answer.redirectsTo).toContain("error=CredentialsSignin");
    expect(line).toMatch(expected);
    expect(line).not.toContain("canary-of-a-directory");
  });
});
