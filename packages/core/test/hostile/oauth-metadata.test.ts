import type { EndpointScript } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { BASE, type Case, ORIGIN, setUp } from "../harness/harness.ts";
import {
  begin,
  calls,
  comeBack,
  expectSignedIn,
  pendingCookies,
  setUpWired,
  start,
} from "../harness/oauth-journeys.ts";

async function expectNotBegun(c: Case): Promise<void> {
  expect((await start(c)).redirectsTo).toContain(`${ORIGIN}${BASE}/signin?error=OAuthSignin`);
  expect(pendingCookies(c)).toEqual([]);
}

describe("hostile metadata", () => {
  it.each<[string, EndpointScript]>([
    ["a slash at the end of the issuer", { patch: { append: { issuer: "/" } } }],
    ["a redirect to another origin", { redirect: "https://evil.example/elsewhere" }],
    ["HTML", { raw: "<!doctype html><title>Sign in</title>", headers: { "content-type": "text/html" } }],
    ["2 MB", { padTo: 2 * 1024 * 1024 }],
    ["a token endpoint on plain http", { patch: { set: { token_endpoint: "http://op.example.com/token" } } }],
    ["no token endpoint", { patch: { remove: ["token_endpoint"] } }],
    ["no authorization endpoint", { patch: { remove: ["authorization_endpoint"] } }],
    ["no keys", { patch: { remove: ["jwks_uri"] } }],
    ["a 404", { status: 404 }],
    ["a list", { body: [] }],
  ])("X23 refuses metadata with %s", async (_, discovery) => {
    const c = setUp();
    c.op.script = { discovery };
    await expectNotBegun(c);
    expect(calls(c)).toMatchObject({ token: 0, other: 0 });
  });

  it.each(["issuer", "token_endpoint", "x"])(
    "X23 refuses metadata that name %s twice, though the last is right",
    async (name) => {
      const c = setUpWired(async (honest, url, init) => {
        const answer = await honest(url, init);
        const twice = `{"${name}":"https://evil.example/",${(await answer.text()).slice(1, -1)},"x":1}`;
        return new Response(twice, answer);
      });
      await expectNotBegun(c);
    },
  );

  it("X23 takes an issuer with a slash at its end where that is what is configured", async () => {
    const c = setUp({ op: { issuer: "https://op.example.com/" } });
    await expectSignedIn(c, await comeBack(c, await begin(c)));
  });
});
