/** Calls to a provider: which redirects are followed, and what the log contains of a failed call. */
import { describe, expect, it } from "vitest";
import { type Case, setUp } from "../harness/harness.ts";
import { attempt, expectNoSignIn, expectSignedIn, OAUTH2, start } from "../harness/oauth-journeys.ts";

const OP = "https://op.example.com";
const DISCOVERY = `${OP}/.well-known/openid-configuration`;

/** The facts that the log has of the error of a sign-in. */
function loggedFacts(c: Case): Record<string, unknown> {
  const [error] = c.logs.filter(({ level }) => level === "error").map(({ values }) => Object(values[0]));
  const { cause } = Object(error);
  return { ...Object(cause), ...Object(Object(cause).err).cause };
}

/** A sign-in that fails, before the browser leaves or when it comes back. */
async function fail(c: Case): Promise<void> {
  if (c.op.script.discovery === undefined) return expectNoSignIn(c, await attempt(c));
  expect((await start(c)).redirectsTo).toMatch(/[?&]error=\w+/);
}

describe("a redirect of a call to a provider", () => {
  it.each([1, 2])("is followed by discovery and userinfo on their own origin: %d of them", async (times) => {
    const first = setUp();
    first.op.script = { discovery: { redirect: DISCOVERY, times } };
    await expectSignedIn(first, await attempt(first));
    const second = setUp(OAUTH2);
    second.op.script = { userinfo: { redirect: `${OP}/userinfo`, times } };
    await expectSignedIn(second, await attempt(second));
    expect(second.op.calls.userinfo).toHaveLength(times + 1);
  });

  it.each([
    ["a third one", { discovery: { redirect: DISCOVERY, times: 3 } }],
    ["another origin", { discovery: { redirect: "https://other.example.com/.well-known/openid-configuration" } }],
    ["another port", { discovery: { redirect: `${OP}:8443/.well-known/openid-configuration` } }],
    ["another scheme", { discovery: { redirect: "http://op.example.com/.well-known/openid-configuration" } }],
    [
      "credentials in the URL",
      { discovery: { redirect: "https://a:b@op.example.com/.well-known/openid-configuration" } },
    ],
    ["the token endpoint", { token: { redirect: `${OP}/token`, times: 1 } }],
    ["the keys", { jwks: { redirect: `${OP}/jwks`, times: 1 } }],
  ])("is not followed: %s", async (_name, script) => {
    const c = setUp();
    c.op.script = script;
    await fail(c);
    expect(c.op.calls.other).toEqual([]);
  });

  it.each([
    ["a third one", { redirect: `${OP}/userinfo`, times: 3 }],
    ["another origin, which would get the access token", { redirect: "https://other.example.com/userinfo" }],
  ])("of userinfo is not followed: %s", async (_name, userinfo) => {
    const c = setUp(OAUTH2);
    c.op.script = { userinfo };
    await expectNoSignIn(c, await attempt(c));
    expect(c.op.calls.other).toEqual([]);
    expect(loggedFacts(c)).toMatchObject({ status: 302, endpoint: `${OP}/userinfo` });
  });
});

describe("the log of a call that failed", () => {
  const body = { error: "invalid_client", error_description: "The client secret has expired." };
  const facts = { error: "invalid_client", description: "The client secret has expired.", endpoint: `${OP}/token` };

  it.each([
    [400, {}],
    [401, {}],
    [401, { "www-authenticate": 'Basic realm="op"' }],
    [401, { "www-authenticate": 'Bearer error="invalid_client"' }],
    [403, { "www-authenticate": "Basic" }],
    [200, {}],
  ])("has error, description, status and endpoint: %d with %o", async (status, headers) => {
    const c = setUp();
    c.op.script = { token: { status, headers, body } };
    await expectNoSignIn(c, await attempt(c));
    expect(loggedFacts(c)).toMatchObject({ ...facts, status });
  });

  it("has status and endpoint of a response without an error, and no query", async () => {
    const c = setUp({ provider: { token: { params: { key: "canary-of-a-token-parameter" } } } });
    c.plant("canary-of-a-token-parameter");
    c.op.script = { token: { status: 502, raw: "<h1>Bad gateway</h1>", headers: { "content-type": "text/html" } } };
    await expectNoSignIn(c, await attempt(c));
    expect(loggedFacts(c)).toMatchObject({ status: 502, endpoint: `${OP}/token` });
  });

  it("has them for discovery, keys and userinfo", async () => {
    for (const [name, endpoint] of [
      ["discovery", DISCOVERY],
      ["userinfo", `${OP}/userinfo`],
    ] as const) {
      const c = setUp(name === "userinfo" ? OAUTH2 : {});
      c.op.script = { [name]: { status: 503, raw: "down" } };
      await fail(c);
      expect(loggedFacts(c)).toMatchObject({ status: 503, endpoint });
    }
  });
});
