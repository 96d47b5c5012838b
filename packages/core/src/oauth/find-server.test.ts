import { createScriptedProvider, type ScriptedProvider } from "@cardea/testing";
import { customFetch as oauthFetch } from "oauth4webapi";
import { describe, expect, it } from "vitest";
import { installClock } from "../../test/harness/harness.ts";
import { resolveConfig } from "../config/resolve-config.ts";
import { customFetch, type OAuthProvider } from "../model/oauth-provider.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import { standardParts } from "../standard.ts";
import { findServer, forgetKeys, requestOptions } from "./find-server.ts";

const SECRET = "a secret of more than thirty-two bytes";

/** The provider as a configuration has it. */
function resolve(op: ScriptedProvider, changes: Partial<OAuthProvider> = {}): ResolvedOAuthProvider {
  const base: OAuthProvider = {
    id: "op",
    name: "OP",
    type: "oidc",
    issuer: op.issuer,
    clientId: "cid",
    clientSecret: "a client secret",
    [customFetch]: op.fetch,
    ...changes,
  };
  const { config } = resolveConfig({ secret: SECRET, providers: [base] }, {}, standardParts, {
    defaultBasePath: "/auth",
  });
  const provider = config.providers.get("op");
  if (provider?.kind !== "oauth") throw new Error("not an OAuth provider");
  return provider;
}

describe("findServer()", () => {
  it("asks the issuer's well-known address, or the one that the provider names", async () => {
    const op = createScriptedProvider({ issuer: "https://op.example.com/tenant" });
    const server = await findServer(resolve(op));
    expect(server).toMatchObject({ issuer: op.issuer, token_endpoint: "https://op.example.com/tenant/token" });
    const wellKnown = "https://op.example.com/.well-known/oauth-authorization-server/tenant";
    await findServer(resolve(op, { wellKnown }));
    expect(op.calls.discovery.map(({ url }) => url)).toEqual([
      "https://op.example.com/tenant/.well-known/openid-configuration",
      wellKnown,
    ]);
  });

  it.each([
    ["https://id.example.com/application/o/app/", "https://id.example.com/application/o/app"],
    ["https://id.example.com/realms/app", "https://id.example.com/realms/app/"],
    ["https://id.example.com", "https://id.example.com/"],
  ])("of the issuer %s does not answer for %s, and the message has both", async (issuer, configured) => {
    const provider = resolve(createScriptedProvider({ issuer }), { issuer: configured });
    const message = `must be "${configured}", but its discovery document contains "${issuer}".`;
    await expect(findServer(provider)).rejects.toThrow(message);
  });

  it("asks no one when the configuration names every endpoint that is needed", async () => {
    const op = createScriptedProvider();
    const at = (path: string) => `https://elsewhere.example/${path}`;
    const endpoints = { authorization: at("a"), token: at("t"), jwks_endpoint: at("j") };
    expect(await findServer(resolve(op, endpoints))).toEqual({
      issuer: op.issuer,
      authorization_endpoint: at("a"),
      token_endpoint: at("t"),
      jwks_uri: at("j"),
    });
    const oauth2 = resolve(op, {
      type: "oauth",
      issuer: undefined,
      authorization: at("a"),
      token: at("t"),
      userinfo: at("u"),
    });
    expect(await findServer(oauth2)).toMatchObject({ token_endpoint: at("t") });
    expect(op.calls.discovery).toEqual([]);
  });

  it("puts what the configuration names before what was discovered", async () => {
    const op = createScriptedProvider();
    const userinfo = "https://elsewhere.example/userinfo";
    expect(await findServer(resolve(op, { userinfo }))).toMatchObject({
      userinfo_endpoint: userinfo,
      token_endpoint: "https://op.example.com/token",
    });
  });

  it.each([
    [{ token_endpoint: "http://op.example.com/token" }],
    [{ userinfo_endpoint: "ftp://op.example.com" }],
    [{ token_endpoint: 42 }],
  ])("refuses metadata with %o", async (set) => {
    const op = createScriptedProvider();
    op.script = { metadata: { set } };
    await expect(findServer(resolve(op))).rejects.toMatchObject({ type: expect.stringMatching(/InvalidEndpoints/) });
  });

  it.each(["https://op.example.com", "http://keycloak:8080"])(
    "metadata of %s lead neither to the local machine nor to another http origin",
    async (issuer) => {
      const needed = ["authorization", "token", "userinfo", "pushed_authorization_request"].map(
        (one) => `${one}_endpoint`,
      );
      const others = ["end_session", "revocation", "introspection", "registration"].map((one) => `${one}_endpoint`);
      const inside = ["http://localhost:9000/x", "https://127.1/x", "http://[::ffff:127.0.0.1]/x", "http://10.0.0.7/x"];
      for (const name of [...needed, "jwks_uri", ...others])
        for (const url of inside) {
          const op = createScriptedProvider({ issuer });
          op.script = { metadata: { set: { [name]: url, mtls_endpoint_aliases: { [name]: url } } } };
          const found = findServer(resolve(op));
          if (others.includes(name)) expect(JSON.stringify(await found)).not.toContain(url);
          else await expect(found).rejects.toThrow(name);
        }
    },
  );

  it("a configured endpoint on the local machine is used, whatever the issuer", async () => {
    const op = createScriptedProvider();
    const token = "http://localhost:9000/token";
    op.script = { metadata: { set: { token_endpoint: "http://127.0.0.1:1/token" } } };
    expect(await findServer(resolve(op, { token }))).toMatchObject({ token_endpoint: token });
    // What the configuration spells opens the door for itself alone.
    const other = createScriptedProvider();
    other.script = { metadata: { set: { userinfo_endpoint: "http://localhost:9000/userinfo" } } };
    await expect(findServer(resolve(other, { token }))).rejects.toThrow("userinfo_endpoint");
  });

  it.each([
    [{ issuer: "http://keycloak:8080" }, {}, "http://keycloak:8080/other"],
    [{}, { insecureOrigins: ["http://keycloak:8080"] }, "http://keycloak:8080/token"],
    [{}, { jwks_endpoint: "http://keycloak:8080/keys" }, "http://keycloak:8080/token"],
    [{ issuer: "http://localhost:8080" }, {}, "http://127.0.0.1:9000/token"],
    [{ issuer: "http://[::1]:8080" }, {}, "https://op.example.com/token"],
  ])("of %o with %o admits %s", async (server, changes, token_endpoint) => {
    const op = createScriptedProvider(server);
    op.script = { metadata: { set: { token_endpoint } } };
    const provider = resolve(op, changes);
    expect(await findServer(provider)).toMatchObject({ token_endpoint });
    expect(() => requestOptions(provider, token_endpoint)).not.toThrow();
  });

  it.each([
    [{ issuer: undefined }, "issuer"],
    [{ userinfo: "ftp://op.example.com" }, "https"],
  ])("cannot be asked for a provider with %o, which is refused at startup", (changes, word) => {
    expect(() => resolve(createScriptedProvider(), changes)).toThrow(word);
  });

  it("allows plain http to a loopback host", async () => {
    const op = createScriptedProvider({ issuer: "http://localhost:4000" });
    expect(await findServer(resolve(op))).toMatchObject({ token_endpoint: "http://localhost:4000/token" });
  });

  it.each([
    [3_599, 1],
    [3_600, 2],
    [3_601, 2],
  ])("after %i seconds has asked %i times", async (seconds, times) => {
    const clock = installClock();
    const op = createScriptedProvider();
    await findServer(resolve(op));
    clock.advance({ seconds });
    await findServer(resolve(op));
    expect(op.calls.discovery).toHaveLength(times);
  });

  it.each([
    [86_399, true],
    [86_400, false],
    [86_401, false],
  ])("after %i seconds without an answer goes by what it knew: %o", async (seconds, isKnown) => {
    const clock = installClock();
    const op = createScriptedProvider();
    const known = await findServer(resolve(op));
    clock.advance({ seconds });
    op.script = { discovery: { status: 500 } };
    if (isKnown) expect(await findServer(resolve(op))).toBe(known);
    else await expect(findServer(resolve(op))).rejects.toThrow();
  });

  it("keeps no one waiting for a server that is down: it is tried again once a minute", async () => {
    const clock = installClock();
    const op = createScriptedProvider();
    const known = await findServer(resolve(op));
    clock.advance({ hours: 2 });
    op.script = { discovery: { status: 500 } };
    const asked: number[] = [];
    for (const seconds of [0, 1, 58, 1, 59]) {
      clock.advance({ seconds });
      expect(await findServer(resolve(op))).toBe(known);
      asked.push(op.calls.discovery.length);
    }
    expect(asked).toEqual([2, 2, 2, 3, 3]);
    op.script = {};
    clock.advance({ seconds: 1 });
    expect(await findServer(resolve(op))).not.toBe(known);
  });

  it("does not believe a clock that was set back", async () => {
    const clock = installClock();
    const op = createScriptedProvider();
    await findServer(resolve(op));
    clock.advance({ seconds: -1 });
    await findServer(resolve(op));
    expect(op.calls.discovery).toHaveLength(2);
  });

  it("asks once for all that ask at the same time, and again when that failed", async () => {
    const op = createScriptedProvider();
    op.script = { discovery: { status: 500, times: 1 } };
    const failed = await Promise.allSettled(Array.from({ length: 20 }, () => findServer(resolve(op))));
    expect([new Set(failed.map(({ status }) => status)), op.calls.discovery.length]).toEqual([
      new Set(["rejected"]),
      1,
    ]);
    await findServer(resolve(op));
    expect(op.calls.discovery).toHaveLength(2);
  });

  it("asks a server of which nothing is known three times in a minute, however many sign-ins begin", async () => {
    const clock = installClock();
    const op = createScriptedProvider();
    op.script = { discovery: { status: 500 } };
    for (let n = 0; n < 20; n++) await expect(findServer(resolve(op))).rejects.toThrow();
    expect(op.calls.discovery).toHaveLength(3);
    clock.advance({ seconds: 60 });
    op.script = {};
    expect(await findServer(resolve(op))).toMatchObject({ issuer: op.issuer });
    expect(op.calls.discovery).toHaveLength(4);
  });

  it("shares nothing between two ways to the network, and nothing between two issuers", async () => {
    const ops = [createScriptedProvider(), createScriptedProvider()];
    for (const op of ops) await findServer(resolve(op));
    expect(ops.map((op) => op.calls.discovery.length)).toEqual([1, 1]);
    const shared = createScriptedProvider({ issuer: "https://op.example.com/a" });
    await findServer(resolve(shared));
    const other = resolve(shared, { issuer: "https://op.example.com/b" });
    await expect(findServer(other)).rejects.toThrow();
  });

  it("remembers a hundred servers, and goes on after that", async () => {
    const asked: string[] = [];
    const anyone: typeof fetch = async (input) => {
      const issuer = String(input).replace("/.well-known/openid-configuration", "");
      asked.push(issuer);
      const [authorization_endpoint, token_endpoint, jwks_uri] = ["a", "t", "j"].map((path) => `${issuer}/${path}`);
      return Response.json({ issuer, authorization_endpoint, token_endpoint, jwks_uri });
    };
    const op = createScriptedProvider();
    const nth = (n: number) => resolve(op, { issuer: `https://op-${n}.example`, [customFetch]: anyone });
    for (let n = 0; n < 100; n++) await findServer(nth(n));
    await findServer(nth(0));
    expect(asked).toHaveLength(100);
    await findServer(nth(100));
    expect(await findServer(nth(0))).toMatchObject({ issuer: "https://op-0.example" });
    expect(asked).toHaveLength(102);
  });
});

describe("forgetKeys()", () => {
  it("gives the same server under another identity, to the next sign-in as well", async () => {
    const provider = resolve(createScriptedProvider());
    const server = await findServer(provider);
    const fresh = forgetKeys(provider, server, "kid")?.server;
    expect(fresh).toEqual(server);
    expect(fresh).not.toBe(server);
    expect(await findServer(provider)).toBe(fresh);
  });

  it("looks for one key once in a minute, and for two keys in all, unless they are found", async () => {
    const clock = installClock();
    const provider = resolve(createScriptedProvider());
    const look = async (kid: string) => forgetKeys(provider, await findServer(provider), kid);
    const looks = async (...kids: string[]) => {
      const results: boolean[] = [];
      for (const kid of kids) results.push((await look(kid)) !== null);
      return results;
    };
    expect(await looks("a", "a", "b", "b", "c", "")).toEqual([true, false, true, false, false, false]);
    clock.advance({ seconds: 59 });
    expect(await looks("a", "d")).toEqual([false, false]);
    clock.advance({ seconds: 1 });
    expect(await looks("a", "a")).toEqual([true, false]);
    for (let rotation = 0; rotation < 10; rotation++) {
      const found = await look(`rotated ${rotation}`);
      expect(found).not.toBe(null);
      found?.found();
    }
  });

  it("forgets nothing again that another sign-in has forgotten since", async () => {
    const provider = resolve(createScriptedProvider());
    const server = await findServer(provider);
    const fresh = forgetKeys(provider, server, "kid")?.server;
    expect(forgetKeys(provider, server, "kid")?.server).toBe(fresh);
    expect(forgetKeys(provider, server, "another")?.server).toBe(fresh);
    expect(forgetKeys(provider, fresh ?? server, "another")?.server).not.toBe(fresh);
  });
});

describe("requestOptions()", () => {
  it("has one guarded fetch for one way to the network, so that requests for keys can be shared", () => {
    const op = createScriptedProvider();
    const guarded = (from: ScriptedProvider) => requestOptions(resolve(from), undefined)[oauthFetch];
    expect(guarded(op)).toBe(guarded(op));
    expect(guarded(op)).not.toBe(guarded(createScriptedProvider()));
  });
});
