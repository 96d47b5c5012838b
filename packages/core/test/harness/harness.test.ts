import { describe, expect, it } from "vitest";
import { Canaries } from "./canaries.ts";
import { deepFreeze } from "./deep-freeze.ts";
import { BASE, expectRefused, ORIGIN, recordOf, setUp } from "./harness.ts";
import { assertAnswer, assertLog, type CaseFacts } from "./invariants.ts";
import type { VisitRecord } from "./records.ts";

const FACTS: CaseFacts = {
  allowedTargets: [ORIGIN],
  errorPage: `${ORIGIN}${BASE}/error`,
  providerOrigin: "https://op.example.com",
  sessionCookie: "__Host-cardea.session-token",
  secure: true,
  defaultCookies: true,
  mayFail: false,
};

function answer(headers: [string, string][], overrides: Partial<VisitRecord> = {}): VisitRecord {
  return {
    method: "GET",
    url: new URL(`${ORIGIN}${BASE}/signin`),
    requestHeaders: new Headers(),
    logs: [],
    events: [],
    status: 302,
    headers: new Headers([["cache-control", "no-store"], ["referrer-policy", "no-referrer"], ...headers]),
    body: "",
    milliseconds: 1,
    ...overrides,
  };
}

describe("setUp()", () => {
  it("signs in by password and through the provider, and holds every answer to the invariants", async () => {
    const c = setUp();
    expect(await c.session()).toBe(null);
    expect((await c.signIn({ callbackUrl: "/x" })).redirectsTo).toBe(`${ORIGIN}/x`);
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
    expectRefused(await c.browser.navigate(`${BASE}/signout`, { form: {} }));
    expect((await c.signInWithOp("/y")).url).toBe(`${ORIGIN}/y`);
    expect(c.eventNames()).toEqual(["signIn", "session", "signIn"]);
    expect(c.visits).toHaveLength(9);
  });
});

describe("assertAnswer()", () => {
  const session = "__Host-cardea.session-token=x; Path=/; HttpOnly; Secure; SameSite=Lax";

  it("lets a clean answer pass", () => {
    expect(() => assertAnswer(answer([["location", `${ORIGIN}/x`]]), FACTS)).not.toThrow();
  });

  it.each<[string, VisitRecord]>([
    ["U1 a slow one", answer([], { milliseconds: 30_000 })],
    ["U1 a 5xx", answer([], { status: 500 })],
    [
      "U2 a session with an error",
      answer([
        ["location", `${ORIGIN}/x?error=Signin`],
        ["set-cookie", session],
      ]),
    ],
    ["U2 a session without a sign-in", answer([["set-cookie", session]])],
    ["U2 a chunk of a session", answer([["set-cookie", session.replace("token=", "token.0=")]])],
    ["U3 another origin", answer([["location", "https://evil.example/"]])],
    ["U3 two slashes", answer([["location", "//app.example.com/"]])],
    ["U3 a backslash", answer([["location", `${ORIGIN}/\\evil`]])],
    ["U3 the provider from a GET", answer([["location", "https://op.example.com/authorize"]])],
    ["U3 a 307", answer([["location", `${ORIGIN}/x`]], { status: 307 })],
    ["spec an undocumented error", answer([["location", `${ORIGIN}/x?error=Oops`]])],
    ["U5 a stored answer", answer([["cache-control", "public"]], { headers: new Headers() })],
    ["U5 an answer that tells its URL", answer([], { headers: new Headers([["cache-control", "no-store"]]) })],
    ["U5 a page without policy", answer([["content-type", "text/html"]], { status: 200 })],
    ["H019 an allowed origin", answer([["access-control-allow-origin", "*"]])],
    ["H048 a script's cookie", answer([["set-cookie", "__Host-a=1; Path=/; Secure; SameSite=Lax"]])],
    ["H048 a cookie without prefix", answer([["set-cookie", "a=1; Path=/; HttpOnly; Secure; SameSite=Lax"]])],
    ["H051 a large cookie", answer([["set-cookie", `__Host-a=${"1".repeat(4096)}; Path=/; HttpOnly; Secure`]])],
  ])("refuses %s", (name, visit) => {
    expect(() => assertAnswer(visit, FACTS)).toThrow(name.split(" ")[0]);
  });
});

describe("assertLog()", () => {
  it.each<[string, Parameters<typeof assertLog>[0]]>([
    ["a line break", { level: "debug", text: "a", values: ["a\nb"] }],
    ["a line break in a cause", { level: "debug", text: "a", values: [{ err: new Error("x\u2028y") }] }],
    ["an error without type", { level: "error", text: "a", values: [new Error("a")] }],
    ["a warning without code", { level: "warn", text: "oh dear", values: ["oh dear"] }],
    ["a long line", { level: "debug", text: "a", values: ["a".repeat(2_000)] }],
  ])("refuses %s", (_, record) => {
    expect(() => assertLog(record)).toThrow("U6");
  });
});

describe("Canaries", () => {
  it("finds a value in a body, a header, a cookie and an error's cause", () => {
    const canaries = new Canaries();
    canaries.plant("very-secret");
    const leaky = answer(
      [
        ["x-a", "very-secret"],
        ["set-cookie", "a=very-secret"],
      ],
      { body: "(very-secret)" },
    );
    expect(canaries.leaksInAnswer(leaky).map(({ where }) => where)).toEqual(["body", "x-a", "set-cookie"]);
    expect(canaries.leaksIn("log", new Error("x", { cause: { deep: ["very-secret"] } }))).toHaveLength(1);
  });

  it("lets state be in an authorization URL, and a sealed cookie in its own line, and nowhere else", () => {
    const canaries = new Canaries();
    const sealed = "eyJhbGciOiJkaXIifQ..nonce.ciphertext.tag";
    const location = "https://op.example.com/authorize?client_id=cid&state=the-state";
    const start = answer([
      ["location", location],
      ["set-cookie", `__Host-cardea.state.1=${sealed}; Path=/`],
    ]);
    canaries.learn(start);
    expect(canaries.leaksInAnswer(start)).toEqual([]);
    const leaky = answer(
      [
        ["location", "/x?state=the-state"],
        ["set-cookie", `b=${sealed}`],
      ],
      { body: sealed },
    );
    expect(canaries.leaksInAnswer(leaky).map(({ where }) => where)).toEqual(["body", "set-cookie", "location"]);
  });
});

describe("deepFreeze()", () => {
  it("freezes objects, lists and symbol members, and leaves class instances", () => {
    const key = Symbol("key");
    const url = new URL(ORIGIN);
    const frozen = deepFreeze({ list: [{ a: 1 }], [key]: { b: 2 }, url });
    expect([frozen.list, frozen.list[0], frozen[key]].every(Object.isFrozen)).toBe(true);
    expect(Object.isFrozen(url)).toBe(false);
  });
});

describe("recordOf()", () => {
  it("knows only what came through visit()", () => {
    expect(() => recordOf(new Response())).toThrow("visit()");
  });
});
