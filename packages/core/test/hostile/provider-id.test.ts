import { createAuth } from "@cardea/core";
import type { Provider } from "@cardea/core/providers";
import type { AuthConfig } from "@cardea/core/types";
import { describe, expect, it } from "vitest";
import { BASE, type Case, cookieHeader, ORIGIN, recordOf, setUp } from "../harness/harness.ts";

const IDS = [
  "undefined",
  "null",
  "__proto__",
  "constructor",
  "toString",
  "OP",
  "op%20",
  "%6fp",
  "op;x",
  "op,credentials",
  "0",
];

/** The error page, with nothing of the request. */
const LANDED = `${ORIGIN}${BASE}/error`;

function expectQuiet(c: Case): void {
  expect(c.logs.filter(({ level }) => level === "error")).toEqual([]);
  expect(c.logs.map(({ text }) => text).join("\n")).not.toMatch(/\bat .*\.ts:|credentials/);
}

describe("provider id", () => {
  it.each([...IDS, "x".repeat(10_000)].map((id) => ({ id, title: id.slice(0, 20) })))(
    "H277 $title is no provider, and the answer repeats nothing",
    async ({ id }) => {
      const c = setUp();
      const answers = [
        await c.browser.navigate(`${BASE}/signin/${id}`),
        await c.browser.navigate(`${BASE}/callback/${id}?code=x&state=y`),
        await c.post(`${BASE}/signin/${id}`),
        await c.post(`${BASE}/callback/${id}`),
      ];
      for (const answer of answers) {
        const { status, headers, body } = recordOf(answer);
        expect([status, headers.get("location"), body]).toEqual([302, LANDED, ""]);
      }
      expectQuiet(c);
    },
  );

  it.each(["..", "%2e%2e", "op/extra", "op%2fextra/x", ".", ""])("H277 signin/%s leads nowhere", async (id) => {
    const c = setUp();
    for (const action of ["signin", "callback"]) {
      const answer = await c.browser.navigate(`${BASE}/${action}/${id}`);
      const isSigninPage = action === "signin" && (id === "." || id === "");
      expect(answer.status).toBe(isSigninPage ? 200 : 404);
      if (!isSigninPage) expect(await answer.text()).toContain("<h1>Page not found</h1>");
    }
    expectQuiet(c);
  });

  it("H277 a program gets the same, as data", async () => {
    const c = setUp();
    const answer = await c.post(`${BASE}/signin/__proto__`, {}, { "x-auth-return-redirect": "1" });
    expect([answer.status, await answer.json()]).toEqual([200, { url: LANDED }]);
    expectQuiet(c);
  });

  it.each([
    ...["op?redirect_uri=https://evil.example", "../session", "op#x", "op%2f..", "op/../../x", "//evil.example", "OP"],
    ...["__proto__", "constructor", "", " op", "op\n", "https://evil.example"],
  ])("H278 signIn(%j) on the server goes to the sign-in page", async (id) => {
    const c = setUp();
    const { signIn } = createAuth(c.config);
    const answer = await signIn(new Request(`${ORIGIN}/page`), id, { redirectTo: "/dash" });
    const location = new URL(answer.headers.get("location") ?? "");
    expect(`${location.origin}${location.pathname}`).toBe(`${ORIGIN}${BASE}/signin`);
    expect([...location.searchParams]).toEqual([["callbackUrl", `${ORIGIN}/dash`]]);
    expect(c.op.calls.discovery).toEqual([]);
  });

  it.each([
    "a/b",
    "a?b",
    "a#b",
    "a b",
    "__proto__",
    "session",
    "signin",
    "csrf",
    "",
    "ü",
    "a%2fb",
    "..",
    ".",
    "-a",
    "a\n",
    "a".repeat(65),
  ])("H280 refuses the id %j at the start", (id) => {
    const { config } = setUp();
    const given: Provider = { id, name: "x", type: "credentials", credentials: {}, authorize: () => null };
    expect(() => createAuth({ ...config, providers: [given] })).toThrow(/providers\[0\]\.id/);
  });

  it.each([undefined, null, 5, {}, ["op"]])("H280 refuses the id %j at the start", (id) => {
    const { config } = setUp();
    expect(() => createAuth({ ...config, providers: parseProviders([{ id, type: "credentials" }]) })).toThrow(
      /providers\[0\]\.id/,
    );
  });

  it("H280 refuses two providers of one id, and tells every problem at once", () => {
    const { config } = setUp();
    const [op] = config.providers;
    const providers = parseProviders([op, op, { id: "x", type: "saml" }, { id: "y", type: "oauth" }, 7, "github"]);
    expect(() => createAuth({ ...config, providers })).toThrow(
      /providers\[1\]\.id.*providers\[2\]\.type.*providers\[3\]\.clientId.*providers\[4\].*providers\[5\]/s,
    );
  });

  it("H280 takes an id that looks odd but is one path segment", async () => {
    const given: Provider = {
      id: "a.b_c~d-1",
      name: "x",
      type: "credentials",
      credentials: {},
      authorize: () => ({ id: "1" }),
    };
    const c = setUp({ providers: [given] });
    expect((await c.post(`${BASE}/callback/a.b_c~d-1`)).redirectsTo).toBe(`${ORIGIN}/`);
    expect(cookieHeader(c.browser)).toContain("session-token");
  });
});

/** What a program without types might pass. */
function parseProviders(given: readonly unknown[]): AuthConfig["providers"] {
  return given as AuthConfig["providers"];
}
