import { describe, expect, it } from "vitest";
import { deepFreeze } from "../../test/harness/deep-freeze.ts";
import type { Adapter } from "../model/adapter.ts";
import type { AuthConfig } from "../model/config.ts";
import { skipCSRFCheck } from "../model/config.ts";
import { standardParts } from "../standard.ts";
import { resolveConfig } from "./resolve-config.ts";

const SECRET = "a secret of more than thirty-two bytes for tests";
const PRODUCTION = { NODE_ENV: "production" };

function resolve(given: Partial<AuthConfig> = {}, env: Record<string, string> = {}) {
  const test = { NODE_ENV: "test", ...env };
  return resolveConfig(deepFreeze({ providers: [], secret: SECRET, ...given }), test, standardParts, {
    defaultBasePath: "/auth",
  });
}

/** What a program without types might pass. */
function parseConfig(value: unknown): Partial<AuthConfig> {
  return value as Partial<AuthConfig>;
}

/** Has every method, and does nothing. */
function parseAdapter(): Adapter {
  return new Proxy({}, { get: () => () => null }) as Adapter;
}

function basePathOf(given: Partial<AuthConfig>, env: Record<string, string> = {}): string {
  return resolve(given, env).config.basePath;
}

describe("resolveConfig()", () => {
  it("fills in the defaults of the specification, and freezes the result", () => {
    const { config, warnings } = resolve();
    expect(warnings).toEqual([]);
    expect(config).toMatchObject({
      basePath: "/auth",
      fixedOrigin: undefined,
      trustHost: true,
      secrets: [SECRET],
      session: { strategy: "jwt", maxAge: 2_592_000, updateAge: 86_400 },
      jwt: { secrets: [SECRET], maxAge: 2_592_000 },
      debug: false,
      csrfEnabled: true,
    });
    expect(Object.isFrozen(config)).toBe(true);
    expect(config.session.generateSessionToken()).toMatch(/^[0-9a-f]{64}$/);
  });

  it("caps every lifetime at 400 days, beyond which browsers keep no cookie (RFC 6265bis §5.6.2)", () => {
    const days = (count: number) => count * 86_400;
    const lifetimesOf = (maxAge: number) => {
      const cookies = { sessionToken: { options: { maxAge } }, csrfToken: { options: { maxAge } } };
      const { config } = resolve({ session: { maxAge }, jwt: { maxAge }, cookies });
      const { sessionToken, csrfToken } = config.cookies.secure;
      return [config.session.maxAge, config.jwt.maxAge, sessionToken.options.maxAge, csrfToken.options.maxAge];
    };
    expect(lifetimesOf(days(400) - 1)).toEqual(Array(4).fill(days(400) - 1));
    expect(lifetimesOf(days(400) + 1)).toEqual(Array(4).fill(days(400)));
    expect(resolve({ session: { maxAge: days(500) } }).config.jwt.maxAge).toBe(days(400));
  });

  it("uses the option store before the store of the adapter", () => {
    const call = async () => null;
    const parseStore = () =>
      ({ get: call, set: call, add: call, swap: call }) as unknown as NonNullable<AuthConfig["store"]>;
    const [own, adapters] = [parseStore(), parseStore()];
    const session = { strategy: "jwt" } as const;
    expect(resolve().config.store).toBeUndefined();
    expect(resolve({ adapter: { store: adapters }, session }).config.store).toBe(adapters);
    expect(resolve({ store: own, adapter: { store: adapters }, session }).config.store).toBe(own);
  });

  it("an untyped value switches no CSRF protection off", () => {
    expect(resolve({ skipCSRFCheck }).config.csrfEnabled).toBe(false);
    for (const value of [true, "skip", 1, Symbol("skip-csrf-check")]) {
      expect(resolve(parseConfig({ skipCSRFCheck: value })).config.csrfEnabled).toBe(true);
    }
  });

  it.each([
    [{}, {}, "/auth"],
    [{ basePath: "/x/" }, {}, "/x"],
    [{ basePath: "/" }, {}, ""],
    [{}, { AUTH_URL: "https://a.example" }, "/auth"],
    [{}, { AUTH_URL: "https://a.example/" }, "/auth"],
    [{}, { AUTH_URL: "https://a.example/api/auth/" }, "/api/auth"],
    [{ basePath: "/x" }, { AUTH_URL: "https://a.example/y" }, "/x"],
  ])("of %j and %j the base path is %j (contract 14)", (given, env, expected) => {
    expect(basePathOf(given, env)).toBe(expected);
  });

  it.each([
    ["/x", "https://a.example/y", 1],
    ["/x", "https://a.example/x/", 0],
    ["/x", "https://a.example", 0],
  ])("basePath %s and AUTH_URL %s warn %i times", (basePath, AUTH_URL, times) => {
    const { warnings } = resolve({ basePath }, { AUTH_URL });
    expect(warnings.filter((warning) => warning.startsWith("env-url-basepath-mismatch: "))).toHaveLength(times);
  });

  it.each([
    [{}, {}, "/shop/auth"],
    [{ basePath: "/x" }, {}, "/shop/x"],
    [{ basePath: "/shop/x/" }, {}, "/shop/x"],
    [{ basePath: "/shopping" }, {}, "/shop/shopping"],
    [{ basePath: "/" }, {}, "/shop"],
    [{}, { AUTH_URL: "https://a.example" }, "/shop/auth"],
    [{}, { AUTH_URL: "https://a.example/shop/" }, "/shop/auth"],
    [{}, { AUTH_URL: "https://a.example/shop/x" }, "/shop/x"],
    [{}, { AUTH_URL: "https://a.example/x" }, "/shop/x"],
    [{ basePath: "/x" }, { AUTH_URL: "https://a.example/shop/x" }, "/shop/x"],
  ])("of %j and %j in an application below /shop it is %j", (given, env, expected) => {
    const { config, warnings } = resolveConfig(
      { providers: [], secret: SECRET, ...given },
      { NODE_ENV: "test", ...env },
      standardParts,
      { defaultBasePath: "/auth", appPath: "/shop" },
    );
    expect([config.basePath, warnings]).toEqual([expected, []]);
  });

  it.each(["x", "ftp://a.example", "//a.example", "https://"])("refuses AUTH_URL=%s", (AUTH_URL) => {
    expect(() => resolve({}, { AUTH_URL })).toThrow("AUTH_URL");
  });

  it.each([
    "/a%20b",
    "/%61pp",
    "/app%2Fauth",
    "//auth",
    "/app//auth",
    "//evil.example/auth",
    "/caf\u00e9",
    "/a;b",
    "/a@b",
    "/a\\b//",
  ])("refuses the path %s in AUTH_URL, which no request would match exactly", (path) => {
    for (const basePath of [undefined, "/auth"])
      expect(() => resolve({ basePath }, { AUTH_URL: `https://a.example${path}` })).toThrow(
        /AUTH_URL. must have a path/,
      );
  });

  it("H081 without a secret production does not start, and development makes one for the process", () => {
    for (const secret of ["", "  ", [], [""]]) {
      expect(() => resolve({ secret }, PRODUCTION)).toThrow(expect.objectContaining({ type: "MissingSecretError" }));
    }
    const { config, warnings } = resolve({ secret: "" });
    expect(config.secrets).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(warnings).toEqual([expect.stringMatching(/^missing-secret: /)]);
  });

  it.each([
    [31, 1],
    [32, 0],
    [33, 0],
  ])("a secret of %i bytes warns %i times", (length, times) => {
    expect(resolve({ secret: "x".repeat(length) }).warnings).toHaveLength(times);
    expect(resolve({ secret: [SECRET, "x".repeat(length)] }).warnings).toHaveLength(times);
  });

  it("the configuration's secrets count before the environment's", () => {
    expect(resolve({}, { AUTH_SECRET: "env" }).config.secrets).toEqual([SECRET]);
    const env = { AUTH_SECRET: SECRET, AUTH_SECRET_1: `${SECRET}1` };
    expect(resolve({ secret: [] }, env).config.secrets).toEqual([SECRET, `${SECRET}1`]);
  });

  it("conceals every secret of the application and of its clients", () => {
    const provider = { id: "op", name: "OP", type: "oidc", issuer: "https://op.example", clientId: "c" } as const;
    const { redacted: concealed } = resolve({
      secret: [SECRET, "older secret"],
      jwt: { secret: "secret of the tokens" },
      adapter: parseAdapter(),
      session: { strategy: "jwt" },
      providers: [
        { ...provider, clientSecret: "client secret" },
        { id: "mail", name: "Mail", type: "email", secret: "secret of the links", sendVerificationRequest: () => {} },
      ],
    }).config;
    expect(concealed).toEqual(
      expect.arrayContaining([SECRET, "older secret", "secret of the tokens", "client secret", "secret of the links"]),
    );
  });

  it.each([
    [{ session: { maxAge: 60 } }, [60, 60]],
    [{ jwt: { maxAge: 30 } }, [2_592_000, 30]],
    [{ session: { maxAge: 60 }, jwt: { maxAge: 30 } }, [60, 30]],
  ])("of %j the session and its token live %j s", (given, expected) => {
    const { session, jwt } = resolve(given).config;
    expect([session.maxAge, jwt.maxAge]).toEqual(expected);
  });

  it.each([
    [{ session: { maxAge: 3601 } }, 1800],
    [{ session: { maxAge: 3600, updateAge: 3599 } }, 3599],
    [{ session: { maxAge: 3600 }, jwt: { maxAge: 60 } }, 30],
    [{ session: { maxAge: 3600 }, jwt: { maxAge: 365 * 86_400 } }, 86_400],
  ])("of %j a session is renewed after %i seconds", (given, expected) => {
    const { config, warnings } = resolve(given);
    expect([config.session.updateAge, warnings]).toEqual([expected, []]);
  });

  it.each([
    [{ session: { maxAge: 3600, updateAge: 3600 } }, 3600],
    [{ session: { updateAge: 86_400 }, jwt: { maxAge: 60 } }, 60],
  ])("warns that of %j no session is renewed before it ends", (given, ends) => {
    expect(resolve(given).warnings).toEqual([
      expect.stringMatching(new RegExp(`^no-renewal: .* ${given.session.updateAge} seconds.* ends after ${ends}\\.`)),
    ]);
  });

  it("H063 refuses one cookie name for two purposes", () => {
    const cookies = { csrfToken: { name: "x" }, state: { name: "x" } };
    expect(() => resolve({ cookies })).toThrow("`cookies.state.name` is also used by `cookies.csrfToken`");
  });

  it("warns of the name of a cookie that is no longer set, and takes its attributes", () => {
    const cookies = { nonce: { name: "x" }, pkceCodeVerifier: { name: "x", options: { maxAge: 60 } } };
    const { config, warnings } = resolve({ cookies });
    expect(config.cookies.secure.state).toMatchObject({ name: "__Host-cardea.state", options: { maxAge: 60 } });
    expect(warnings.filter((warning) => warning.startsWith("unused-cookie-name: "))).toEqual([
      expect.stringContaining("`cookies.pkceCodeVerifier.name` is not used"),
      expect.stringContaining("`cookies.nonce.name` is not used"),
    ]);
  });

  it.each(["state", "csrfToken"] as const)(
    "H063 refuses the name of a part of a large session for cookies.%s",
    (key) => {
      const named = (name: string) => ({ cookies: { sessionToken: { name: "a" }, [key]: { name } } });
      for (const name of ["a.0", "a.4", "a.15"]) {
        expect(() => resolve(named(name))).toThrow(`\`cookies.${key}.name\` is also used for a part of`);
      }
      for (const name of ["a.b", "a.", "a.0b", "ab.0"]) expect(() => resolve(named(name))).not.toThrow();
    },
  );

  it("neither changes nor needs the object again", () => {
    const given = deepFreeze({ providers: [], secret: SECRET, session: { maxAge: 5 } });
    const before = JSON.stringify(given);
    resolveConfig(given, {}, standardParts, { defaultBasePath: "/auth" });
    expect(JSON.stringify(given)).toBe(before);
  });

  it("leaves out providers that are switched off, and names a missing secret with everything else", () => {
    const off = [false, null, undefined, ""] as const;
    const { config } = resolveConfig({ secret: "x".repeat(32), providers: [...off] }, {}, standardParts, {
      defaultBasePath: "/auth",
    });
    expect(config.providers.size).toBe(0);
    const op = { id: "op", name: "OP", type: "oidc", issuer: "https://op.example.com" } as const;
    expect(() =>
      resolveConfig({ providers: [op] }, { NODE_ENV: "production" }, standardParts, { defaultBasePath: "/auth" }),
    ).toThrow(/clientId[\s\S]*`secret` is missing/);
    const broken = { id: "c", name: "C", type: "credentials", credentials: {} } as unknown as typeof op;
    expect(() =>
      resolveConfig({ secret: "x".repeat(32), providers: [broken] }, {}, standardParts, { defaultBasePath: "/auth" }),
    ).toThrow(expect.objectContaining({ type: "MissingAuthorize" }));
  });

  it.each(["\n", "\r", "\t", "\0", "\x7f", "\x85", "\u2028"])(
    "refuses the control character %j wherever it is sent",
    (control) => {
      const op = {
        id: "op",
        name: "OP",
        type: "oidc",
        issuer: "https://op.example.com",
        clientId: "c",
        clientSecret: "s",
      };
      const changes = [
        { issuer: `https://op.example.com${control}` },
        { clientId: `c${control}` },
        { clientSecret: `s${control}` },
        { wellKnown: `https://op.example.com/${control}x` },
        { token: { url: `https://op.example.com/${control}token` } },
        { authorization: { params: { scope: `openid${control}` } } },
        { redirectProxyUrl: `https://p.example.com${control}` },
      ];
      for (const change of changes) {
        const provider = { ...op, ...change } as unknown as typeof op & { type: "oidc" };
        const member = Object.keys(change)[0] ?? "";
        expect(() =>
          resolveConfig({ secret: "x".repeat(32), providers: [provider] }, {}, standardParts, {
            defaultBasePath: "/auth",
          }),
        ).toThrow(new RegExp(`providers\\[0\\]\\.${member}.*control character`));
      }
      const env = { AUTH_URL: `https://app.example.com${control}` };
      expect(() =>
        resolveConfig({ secret: "x".repeat(32), providers: [] }, env, standardParts, { defaultBasePath: "/auth" }),
      ).toThrow("AUTH_URL");
    },
  );
});
