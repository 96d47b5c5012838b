import { createAuth } from "@cardea/core";
import type { AuthConfig } from "@cardea/core/types";
import { WebAuthn } from "@cardea/providers-webauthn";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";

const SECRET = "canary-secret-of-more-than-thirty-two-bytes";
const OP = {
  id: "op",
  name: "OP",
  type: "oidc",
  issuer: "https://op.example.com",
  clientId: "client",
  clientSecret: "canary-of-op",
};

interface Mistake {
  /** Members of the configuration. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** A further provider. */
  readonly provider?: unknown;
  readonly env?: Readonly<Record<string, string>>;
  /** What the error must name. */
  readonly names: readonly string[];
}

/** Mistakes that go together in any combination; a secret in one of them starts with `canary`. */
const MISTAKES: readonly Mistake[] = [
  { config: { debug: "canary" }, names: ["`debug`"] },
  { config: { session: { maxAge: -1, maxage: 5, strategy: "canary" } }, names: ["session.maxAge", "session.strategy"] },
  { config: { pages: { signIn: "login", signin: "/login" } }, names: ["pages.signIn", "did you mean `pages.signIn`"] },
  { config: { theme: { logo: "/logo.png\r\nSet-Cookie: a=canary" } }, names: ["theme.logo"] },
  { config: { redirectProxyUrl: "http://proxy.example.com" }, names: ["redirectProxyUrl"] },
  { config: { callbacks: { signin: () => "canary" } }, names: ["did you mean `callbacks.signIn`"] },
  { config: { provider: ["canary"] }, names: ["did you mean `providers`"] },
  { config: { adapter: {} }, names: ["`adapter` lacks methods"] },
  { config: { cookies: { csrfToken: { name: "a" }, state: { name: "a" } } }, names: ["cookies.state.name"] },
  { provider: { id: "session", type: "oidc", clientSecret: "canary" }, names: ["].id`"] },
  { provider: "canary", names: ["is not a provider object"] },
  {
    provider: { ...OP, id: "bare", clientId: undefined, clientSecret: undefined },
    names: ["AUTH_BARE_ID", "AUTH_BARE_SECRET"],
  },
  { provider: { ...OP, id: "twice", issuer: undefined, checks: ["canary"] }, names: ["].issuer`", "].checks`"] },
  { provider: { ...OP, id: "line", clientSecret: "canary\n" }, names: ['of provider "line" has a control character'] },
  { provider: { ...OP, id: "age", authorization: { params: { max_age: "-1" } } }, names: ["params.max_age"] },
  {
    provider: { ...OP, id: "typ", authorization: { params: { response_type: "id_token" } } },
    names: ["response_type"],
  },
  { provider: { ...OP, id: "key", clientID: "canary" }, names: [".clientId`"] },
  { provider: { id: "pw", name: "PW", type: "credentials" }, names: ["].authorize`"] },
  {
    provider: { id: "mail", name: "Mail", type: "email", maxAge: 0 },
    names: ["].maxAge`", "].sendVerificationRequest`"],
  },
  {
    provider: { id: "smtp", name: "M", type: "email", requires: ["server"], sendVerificationRequest: () => {} },
    names: ["].server`"],
  },
  {
    provider: { ...WebAuthn({ decoySecret: "canary" }), id: "key-2", simpleWebAuthn: {} },
    names: ["].simpleWebAuthn`", "].decoySecret`", "enableWebAuthn"],
  },
  { env: { AUTH_URL: "ftp://canary.example" }, names: ["`AUTH_URL` must"] },
  { env: { AUTH_REDIRECT_PROXY_URL: "http://canary.example" }, names: ["`AUTH_REDIRECT_PROXY_URL` must"] },
  { env: { AUTH_SECRET: "", NODE_ENV: "production" }, names: ["`secret` is missing"] },
];

/** Names that are only added to an error: alone they warn. */
const NOTES = MISTAKES.filter(({ names }) => names.every((name) => /did you mean|clientId/.test(name)));

/** What a program without types might pass. */
function parseConfig(value: object): AuthConfig {
  return value as AuthConfig;
}

/** Starts an application with these variables, and returns its warnings. */
function startWith(config: object, env: Readonly<Record<string, string>>): readonly string[] {
  const warnings: string[] = [];
  const { logger } = parseConfig(config);
  const given = parseConfig({
    ...config,
    logger: { ...logger, warn: (warning: string) => void warnings.push(warning) },
  });
  vi.stubEnv("NODE_ENV", undefined);
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  try {
    createAuth(given);
    return warnings;
  } finally {
    vi.unstubAllEnvs();
  }
}

function start(mistakes: readonly Mistake[]): readonly string[] {
  const config = Object.assign({}, ...mistakes.map((one) => one.config ?? {}));
  const providers = [OP, ...mistakes.flatMap(({ provider }) => (provider === undefined ? [] : [provider]))];
  const env = Object.assign({ AUTH_SECRET: SECRET }, ...mistakes.map((one) => one.env ?? {}));
  return startWith({ ...config, providers }, env);
}

function messageOf(mistakes: readonly Mistake[]): string {
  try {
    return start(mistakes).join("\n");
  } catch (error) {
    return String(error);
  }
}

const warningsOf = (config: object, env: Record<string, string> = { NODE_ENV: "test" }) =>
  startWith({ providers: [], secret: SECRET, ...config }, env);

describe("a configuration with mistakes", () => {
  it("names every mistake of any set in one error, and no value that could be a secret", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...MISTAKES], { minLength: 1 }), (mistakes) => {
        const message = messageOf(mistakes);
        for (const { names } of mistakes) for (const name of names) expect(message).toContain(name);
        expect(message).not.toContain("canary");
        expect(message).not.toContain("\r");
        if (mistakes.some((one) => !NOTES.includes(one))) expect(() => start(mistakes)).toThrow();
      }),
      { numRuns: 200 },
    );
  });

  it.each(MISTAKES)("refuses or reports $names alone", (mistake) => {
    const message = messageOf([mistake]);
    for (const name of mistake.names) expect(message).toContain(name);
  });

  it("says of a bad type only that", () => {
    for (const broken of [{ adapter: 5 }, { experimental: 5 }, { session: [] }, { providers: {} }, { secret: 5 }]) {
      const env = { NODE_ENV: "production", AUTH_URL: "https://app.example.com" };
      expect(() => warningsOf(broken, env)).toThrow(/^The configuration has a problem:\n[^\n]+\n [^\n]+$/);
    }
  });

  it.each([
    [{ session: { strategy: "cookie" } }, {}, "UnsupportedStrategy"],
    [{ session: { strategy: "database" } }, {}, "MissingAdapter"],
    [{ secret: "" }, { NODE_ENV: "production" }, "MissingSecretError"],
    [{ session: { strategy: "cookie" }, debug: 1 }, {}, "InvalidConfiguration"],
    [{ session: { strategy: "database" }, secret: "" }, { NODE_ENV: "production" }, "InvalidConfiguration"],
  ])("of %j and %j the error is %s", (config, env, type) => {
    expect(() => warningsOf(config, env)).toThrow(expect.objectContaining({ type }));
  });
});

describe("the warnings at startup", () => {
  it.each([
    [{}, {}, ["untrusted-host"]],
    [{}, { NODE_ENV: "development" }, []],
    [{}, { NODE_ENV: "test" }, []],
    [{}, { NODE_ENV: "staging" }, ["untrusted-host"]],
    [{}, { NODE_ENV: "production" }, ["untrusted-host"]],
    [{ trustHost: false }, { NODE_ENV: "production" }, ["untrusted-host"]],
    [{}, { NODE_ENV: "production", AUTH_URL: "http://app.example.com" }, ["insecure-url"]],
    [{}, { NODE_ENV: "production", AUTH_URL: "http://localhost:3000" }, []],
    [{}, { AUTH_URL: "http://app.example.com" }, []],
    [{ trustHost: true }, { NODE_ENV: "production" }, []],
    [{}, { NODE_ENV: "production", AUTH_TRUST_HOST: "1" }, []],
    [{}, { NODE_ENV: "production", AUTH_URL: "https://app.example.com" }, []],
    [{}, { NODE_ENV: "production", VERCEL: "1" }, []],
  ])("of %j and %j name a host that no request can be trusted for: %j", (config, env, expected) => {
    expect(warningsOf(config, env).map((warning) => warning.split(":")[0])).toEqual(expected);
  });

  it("name a missing host beside the problems", () => {
    expect(() => warningsOf({ secret: "" }, { NODE_ENV: "production" })).toThrow(/`secret`[\s\S]*AUTH_URL/);
  });

  it.each([
    ["my-op", "my.op"],
    ["my-op", "MY_OP"],
    ["a.b", "A~B"],
  ])("name the providers %s and %s, which read the same variables", (one, other) => {
    const name = `AUTH_${one.replace(/\W/g, "_").toUpperCase()}_SECRET`;
    const providers = [
      { ...OP, id: one, clientSecret: undefined },
      { ...OP, id: other, clientSecret: undefined },
    ];
    const warnings = warningsOf({ providers }, { NODE_ENV: "test", [name]: "canary" });
    expect(warnings).toEqual([expect.stringMatching(/^shared-environment: /)]);
    for (const text of [`"${one}"`, `"${other}"`]) expect(warnings[0]).toContain(text);
    expect(warnings[0]).not.toContain("canary");
  });

  it.each([
    ["https://cdn.example.com/logo.svg", true],
    ["//cdn.example.com/logo.svg", true],
    ["/\\cdn.example.com/logo.svg", true],
    ["https://app.example.com/logo.svg", false],
    ["/logo.svg", false],
    ["data:image/png;base64,AA==", false],
  ])("of a logo at %s: %s", (logo, foreign) => {
    const env = { AUTH_URL: "https://app.example.com" };
    const providers = [{ ...OP, style: { logo } }];
    const warnings = warningsOf({ providers, theme: { logo } }, env);
    expect(warnings).toEqual(foreign ? [expect.stringMatching(/^foreign-logo: .*theme\.logo.*"op"/)] : []);
  });

  it.each([
    [{ signIn: "https://login.example.com/", error: "/error" }, {}, "`pages.signIn` contains a host"],
    [{ signIn: "https://login.example.com/" }, { AUTH_URL: "https://app.example.com" }, null],
    [{ signIn: "/login", newUser: "/welcome" }, {}, null],
  ])("of pages %j with environment %j: %s", (pages, env: Record<string, string>, expected) => {
    const warnings = warningsOf({ pages }, { NODE_ENV: "test", ...env });
    expect(warnings).toEqual(expected === null ? [] : [expect.stringMatching(`^absolute-page: ${expected}`)]);
  });

  it.each([
    [{ Providers: [] }, "`Providers` is not a known option; did you mean `providers`?"],
    [{ session: { maxage: 1 } }, "did you mean `session.maxAge`?"],
    [{ callbacks: { sesion: () => {} } }, "did you mean `callbacks.session`?"],
    [{ events: { signout: () => {} } }, "did you mean `events.signOut`?"],
    [{ cookies: { sessionTokn: {} } }, "did you mean `cookies.sessionToken`?"],
    [{ cookies: { state: { options: { samesite: "lax" } } } }, "did you mean `cookies.state.options.sameSite`?"],
    [{ trsutHost: true }, "did you mean `trustHost`?"],
    [{ jwt: { encryption: true } }, "`jwt.encryption` is not a known option and has no effect."],
    [{ "a\nb": true }, "`a?b` is not a known option"],
    [{ providers: [{ ...OP, clientID: "c" }] }, "did you mean `providers[0].clientId`?"],
    [
      { providers: [{ ...OP, jwksEndpoint: "https://op.example.com/k" }] },
      "did you mean `providers[0].jwks_endpoint`?",
    ],
    [{ providers: [{ ...OP, token: { parms: {} } }] }, "did you mean `providers[0].token.params`?"],
    [{ providers: [{ ...OP, region: "eu", tenantId: "t" }] }, null],
    [{ logger: { warn: () => {}, info: () => {}, level: 1 } }, null],
  ])("of %j: %s", (config, expected) => {
    expect(warningsOf(config)).toEqual(expected === null ? [] : [expect.stringContaining(expected)]);
  });
});
