import { describe, expect, it } from "vitest";
import { readEnvironment, readProviderEnvironment, readRedirectProxy, sharedVariableWarnings } from "./env.ts";

describe("readEnvironment()", () => {
  it("appends AUTH_SECRET_1 to _3 as older secrets", () => {
    const env = { AUTH_SECRET: "a", AUTH_SECRET_1: "b", AUTH_SECRET_2: "c", AUTH_SECRET_3: "d", AUTH_SECRET_4: "e" };
    expect(readEnvironment(env).secrets).toEqual(["a", "b", "c", "d"]);
    expect(readEnvironment({ ...env, AUTH_SECRET_1: "  " }).secrets).toEqual(["a", "c", "d"]);
  });

  it("reads the legacy names where ours are not set", () => {
    const legacy = { NEXTAUTH_SECRET: "old", NEXTAUTH_URL: "https://old.example" };
    expect(readEnvironment(legacy)).toMatchObject({ secrets: ["old"], url: "https://old.example" });
    const both = { ...legacy, AUTH_SECRET: "new", AUTH_URL: "https://new.example" };
    expect(readEnvironment(both)).toMatchObject({ secrets: ["new"], url: "https://new.example" });
    expect(readEnvironment({ ...legacy, AUTH_SECRET: "", AUTH_URL: " " })).toMatchObject({
      secrets: ["old"],
      url: "https://old.example",
    });
  });

  it.each([
    [{}, "loopback"],
    [{ NODE_ENV: "development" }, true],
    [{ NODE_ENV: "test" }, true],
    [{ NODE_ENV: "production" }, "loopback"],
    [{ NODE_ENV: "staging" }, "loopback"],
    [{ NODE_ENV: "Development" }, "loopback"],
    [{ NODE_ENV: "development", AUTH_TRUST_HOST: "false" }, false],
    [{ NODE_ENV: "production", AUTH_URL: "https://a.example" }, true],
    [{ NODE_ENV: "production", VERCEL: "1" }, true],
    [{ NODE_ENV: "production", CF_PAGES: "1" }, true],
    [{ NODE_ENV: "production", VERCEL: "" }, "loopback"],
    [{ NODE_ENV: "production", AUTH_TRUST_HOST: "true" }, true],
    [{ NODE_ENV: "production", AUTH_TRUST_HOST: "1" }, true],
    [{ VERCEL: "1", AUTH_TRUST_HOST: "false" }, false],
    [{ VERCEL: "1", AUTH_TRUST_HOST: "FALSE" }, false],
    [{ AUTH_URL: "https://a.example", AUTH_TRUST_HOST: "0" }, false],
    [{ NODE_ENV: "production", AUTH_TRUST_HOST: "" }, "loopback"],
  ])("H254 of the host, %j says %j", (env, expected) => {
    expect(readEnvironment(env).trustHost).toBe(expected);
  });

  it.each([
    ["production", true],
    ["Production", false],
    ["test", false],
    [undefined, false],
  ])("takes NODE_ENV=%s for production: %s", (NODE_ENV, expected) => {
    expect(readEnvironment({ NODE_ENV }).isProduction).toBe(expected);
  });
});

describe("readProviderEnvironment()", () => {
  const env = {
    AUTH_MY_OP_ID: "id",
    AUTH_MY_OP_SECRET: "secret",
    AUTH_MY_OP_ISSUER: "https://op.example",
    AUTH_OTHER_ID: " ",
  };

  it.each(["my-op", "my.op", "my_op", "MY~OP"])("finds the variables of %s", (id) => {
    expect(readProviderEnvironment(env, id)).toEqual({
      clientId: "id",
      clientSecret: "secret",
      issuer: "https://op.example",
    });
  });

  it.each(["other", "unknown", "my", "__proto__"])("finds nothing for %s", (id) => {
    expect(readProviderEnvironment(env, id)).toEqual({});
  });
});

describe("readRedirectProxy()", () => {
  it("finds the proxy of all providers, and none in a blank value", () => {
    const proxy = "https://proxy.example/auth";
    expect(readRedirectProxy({ AUTH_REDIRECT_PROXY_URL: proxy })).toBe(proxy);
    expect(readRedirectProxy({ AUTH_REDIRECT_PROXY_URL: " " })).toBeUndefined();
  });
});

describe("sharedVariableWarnings()", () => {
  it.each([
    [["my-op", "my_op"], "AUTH_MY_OP"],
    [["op", "google", "OP"], "AUTH_OP"],
    [["a.b", "a~b"], "AUTH_A_B"],
  ])("names two of %j", (ids, prefix) => {
    const [warning, ...more] = sharedVariableWarnings(ids);
    expect([warning, more]).toEqual([expect.stringMatching(/^shared-environment: /), []]);
    for (const text of [`"${ids[0]}"`, `"${ids.at(-1)}"`, `${prefix}_SECRET`]) expect(warning).toContain(text);
  });

  it("says nothing of others", () => {
    expect(sharedVariableWarnings(["op", "op2", "my-op", "google"])).toEqual([]);
  });
});
