// What docs/from-nextauth.md says of Cardea, for applications on NextAuth v4.
import { createRequire } from "node:module";
import { join } from "node:path";
import { CredentialsSignin } from "@cardea/core/errors";
import { Nodemailer } from "@cardea/providers-email";
import { createMemoryAdapter } from "@cardea/testing";
import { expect, vi } from "vitest";
import { CARDEA, type Observations, ORIGIN, oauth, oidc, password, SECRET, site } from "./library.ts";

const require = createRequire(import.meta.url);
const OTHER = "another secret of more than thirty-two bytes";
const profile = { id: "1", name: "Ann", email: "ann@example.com" };

/** The session of a cookie that was made with `SECRET`, where the configuration has none. */
async function sessionWith(environment: Readonly<Record<string, string>>, secret?: unknown): Promise<unknown> {
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const salt = CARDEA.cookie("session-token");
  const cookie = `${salt}=${await CARDEA.jwt.encode({ token: { name: "Ann", sub: "1" }, secret: SECRET, salt })}`;
  return (await site(CARDEA, { secret, providers: [] }).ask("session", { headers: { cookie } })).json();
}

const signinUrls = async (path: string) => {
  const answer = await CARDEA.Auth(new Request(`${ORIGIN}${path}/providers`), {
    secret: SECRET,
    providers: [password],
  });
  return answer.status === 200
    ? (await answer.json()).map((one: { signinUrl: string }) => one.signinUrl)
    : answer.status;
};

/** The provider function of one of our packages. */
const ours = async (name: string, export_: string): Promise<(options: object) => Record<string, unknown>> =>
  Reflect.get(await import(join(import.meta.dirname, "../../../packages", name, "src/index.ts")), export_);

const idsOf = async (provider: string, export_: string) => {
  const former = require(`next-auth-4/providers/${provider}`).default({ clientId: "id", clientSecret: "s" });
  return [Object(former).id, (await ours(`providers-${provider}`, export_))({ clientId: "id", clientSecret: "s" }).id];
};

async function errorOf(thrown: Error): Promise<readonly (string | null)[]> {
  const authorize = () => Promise.reject(thrown);
  const { searchParams } = await site(CARDEA, { providers: [{ ...password, authorize }] }).signIn();
  return [searchParams.get("error"), searchParams.get("code")];
}

async function errorAfter(signIn: () => boolean | string): Promise<string | null> {
  const { searchParams } = await site(CARDEA, { providers: [password], callbacks: { signIn } }).signIn();
  return searchParams.get("error");
}

const throwBanned = (): boolean => {
  throw new Error("banned");
};

/** The tokens that `callbacks.jwt` saw, of a first sign-in with a provider. */
async function firstSignIn(given: object) {
  const { adapter } = createMemoryAdapter();
  const { provider, handler } = oauth(CARDEA, profile);
  const triggers: unknown[] = [];
  const jwt = ({ token, trigger }: { token: object; trigger?: string }) => {
    triggers.push(trigger);
    return token;
  };
  const one = site(CARDEA, { adapter, providers: [provider], callbacks: { jwt }, ...given });
  await one.signInWith(handler);
  const token = one.browser.cookies.get(CARDEA.cookie("session-token"))?.value ?? "";
  return { triggers, isStored: (await adapter.getSessionAndUser(token)) !== null };
}

async function warningsOf(given: object): Promise<readonly string[]> {
  const { ask, logged } = site(CARDEA, given);
  await ask("session");
  return logged.filter(({ level }) => level === "warn").map(({ text }) => text);
}

export const NEXTAUTH: Observations = {
  "v4-secret-variable": {
    shows: async () => {
      expect(await sessionWith({ AUTH_SECRET: "", NEXTAUTH_SECRET: SECRET })).toMatchObject({ user: { name: "Ann" } });
      expect(await sessionWith({ AUTH_SECRET: OTHER, NEXTAUTH_SECRET: SECRET })).toBe(null);
    },
    control: async () => expect(await sessionWith({ NEXTAUTH_SECRET: OTHER })).toMatchObject({ user: {} }),
  },
  "v4-url-variable": {
    shows: async () => {
      vi.stubEnv("NEXTAUTH_URL", "https://public.example.com");
      expect(await signinUrls("/auth")).toEqual(["https://public.example.com/auth/signin/credentials"]);
      vi.stubEnv("AUTH_URL", "https://newer.example.com");
      expect(await signinUrls("/auth")).toEqual(["https://newer.example.com/auth/signin/credentials"]);
    },
    control: async () => {
      vi.stubEnv("AUTH_TRUST_HOST", "true");
      expect(await signinUrls("/auth")).toEqual(["https://public.example.com/auth/signin/credentials"]);
    },
  },
  "v4-url-internal": {
    shows: async () => {
      const fetch = vi.fn();
      vi.stubGlobal("fetch", fetch);
      await sessionWith({ NEXTAUTH_URL_INTERNAL: "http://internal:3000" }, SECRET).finally(() => vi.unstubAllGlobals());
      expect(fetch).not.toHaveBeenCalled();
    },
    control: () => {
      const fetch = vi.fn();
      fetch("http://internal:3000/api/auth/session");
      expect(fetch).not.toHaveBeenCalled();
    },
  },
  "v4-provider-variables": {
    shows: () => {
      const start = (google: unknown) => () => CARDEA.start({ providers: [google] });
      expect(start(CARDEA.Google({ clientId: "id", clientSecret: "s" }))).not.toThrow();
      vi.stubEnv("AUTH_GOOGLE_ID", "id");
      vi.stubEnv("AUTH_GOOGLE_SECRET", "s");
      expect(start(CARDEA.Google)).not.toThrow();
    },
    control: () => {
      vi.stubEnv("GOOGLE_ID", "id");
      expect(() => CARDEA.start({ providers: [CARDEA.Google] })).not.toThrow();
    },
  },
  "v4-options": {
    shows: async () => {
      const names = { pages: {}, callbacks: {}, events: {}, session: {}, theme: {}, debug: false, cookies: {} };
      expect(await warningsOf({ ...names, useSecureCookies: true })).toEqual([]);
    },
    control: async () => expect(await warningsOf({ page: {} })).toEqual([]),
  },
  "v4-secrets": {
    shows: async () => expect(await sessionWith({}, [OTHER, SECRET])).toMatchObject({ user: { name: "Ann" } }),
    control: async () => expect(await sessionWith({}, [OTHER])).toMatchObject({ user: {} }),
  },
  "v4-strategy": {
    shows: async () => expect((await firstSignIn({})).isStored).toBe(true),
    control: async () => expect((await firstSignIn({ session: { strategy: "jwt" } })).isStored).toBe(true),
  },
  "v4-is-new-user": {
    shows: async () => expect((await firstSignIn({ session: { strategy: "jwt" } })).triggers).toContain("signUp"),
    control: async () => expect((await firstSignIn({ adapter: undefined })).triggers).toContain("isNewUser"),
  },
  "v4-session-callback": {
    shows: async () => {
      const session = (one: { session: object; token: object }) => ({ ...one.session, given: Object.keys(one) });
      const one = site(CARDEA, { callbacks: { session } });
      await one.signIn();
      const { user, given } = await one.session();
      expect(user).toEqual({ name: "ann", email: "ann@example.com", image: null });
      expect(given).toEqual(expect.arrayContaining(["session", "token"]));
    },
    control: () => expect({ name: "ann", sub: "1" }).toEqual({ name: "ann", email: "ann@example.com", image: null }),
  },
  "v4-logger": {
    shows: async () => {
      const told: unknown[][] = [];
      const logger = { error: (...args: unknown[]) => told.push(args), warn: (...args: unknown[]) => told.push(args) };
      await site(CARDEA, {
        logger,
        providers: [{ ...password, authorize: () => Promise.reject(new Error("x")) }],
      }).signIn();
      await site(CARDEA, { logger }).signIn("wrong");
      expect(told).toEqual([[expect.any(Error)], [expect.stringMatching(/^CredentialsSignin/)]]);
    },
    control: () => expect([["JWT_SESSION_ERROR", {}]]).toEqual([[expect.any(Error)]]),
  },
  "v4-base-path": {
    shows: async () => {
      vi.stubEnv("NEXTAUTH_URL", `${ORIGIN}/custom/auth`);
      expect(await signinUrls("/custom/auth")).toEqual([`${ORIGIN}/custom/auth/signin/credentials`]);
    },
    control: async () => {
      vi.stubEnv("NEXTAUTH_URL", ORIGIN);
      expect(await signinUrls("/custom/auth")).toEqual([`${ORIGIN}/custom/auth/signin/credentials`]);
    },
  },
  "v4-email-id": {
    shows: () => {
      const given = { server: "smtp://localhost", from: "us@example.com" };
      const ids = [Nodemailer(given), Nodemailer({ ...given, id: "email" })].map((one) => {
        const { options, id } = Object(one);
        return Object(options).id ?? id;
      });
      expect(ids).toEqual(["nodemailer", "email"]);
    },
    control: () => expect([Object(require("next-auth-4/providers/email").default({})).id]).toEqual(["nodemailer"]),
  },
  "v4-thrown-text": {
    shows: async () => {
      const wrong = await errorOf(new CredentialsSignin("Wrong password"));
      expect(wrong).toEqual(["CredentialsSignin", "credentials"]);
      expect(await errorOf(new Error("Wrong password"))).toEqual(["Configuration", null]);
    },
    control: async () => expect(await errorOf(new Error("Wrong password"))).toEqual(["Wrong password", null]),
  },
  "v4-thrown-sign-in": {
    shows: async () => {
      expect(await errorAfter(throwBanned)).toBe("AccessDenied");
      expect(await errorAfter(() => "/auth/error?error=banned")).toBe("banned");
    },
    control: async () => expect(await errorAfter(throwBanned)).toBe("banned"),
  },
  "v4-agent": {
    shows: async () => {
      const { provider, handler } = oauth(CARDEA, profile);
      const one = site(CARDEA, { providers: [provider] });
      await one.signInWith(handler);
      expect(await one.session()).toMatchObject({ user: { name: "Ann" } });
    },
    control: async () => {
      const { provider, handler } = oauth(CARDEA, profile, { token: "http://127.0.0.1:1/token" });
      const given = Object.fromEntries(Object.entries(provider));
      const one = site(CARDEA, { providers: [given] });
      await one.signInWith(handler);
      expect(await one.session()).toMatchObject({ user: { name: "Ann" } });
    },
  },
  "v4-azure": {
    shows: async () => {
      const make = await ours("providers-microsoft-entra-id", "MicrosoftEntraID");
      const { options, id } = make({ id: "azure-ad", clientId: "id" });
      expect(Object(options).id ?? id).toBe("azure-ad");
      expect(() => make({ clientId: "id", tenantId: "t" })).toThrow("issuer");
    },
    control: async () =>
      expect(Object(require("next-auth-4/providers/azure-ad").default({})).id).toBe("microsoft-entra-id"),
  },
  "v4-twitter": {
    shows: async () => {
      const { type, authorization } = (await ours("providers-x", "X"))({ clientId: "id" });
      expect([type, Object(authorization).url]).toEqual(["oauth", expect.stringContaining("oauth2")]);
    },
    control: () => {
      const { version } = Object(require("next-auth-4/providers/twitter").default({}));
      expect(version ?? "2.0").toBe("2.0");
    },
  },
  "v4-linkedin": {
    shows: async () => {
      for (const make of [
        await ours("providers-linkedin", "LinkedIn"),
        await ours("providers-salesforce", "Salesforce"),
      ]) {
        const { authorization, profile: map, type } = make({ clientId: "id", issuer: "https://login.salesforce.com" });
        const isOpenId = type === "oidc" || JSON.stringify(authorization).includes("openid");
        const mapped = await Reflect.apply(Object(map ?? (({ sub }: { sub: string }) => ({ id: sub }))), undefined, [
          { sub: "of sub", id: "of id", user_id: "of user_id", name: "Ann" },
          {},
        ]);
        expect([isOpenId, Object(mapped).id]).toEqual([true, "of sub"]);
      }
    },
    control: () => expect(Object(require("next-auth-4/providers/linkedin").default({})).type).toBe("oidc"),
  },
  "v4-provider-ids": {
    shows: async () => {
      for (const [file, name] of [
        ["apple", "Apple"],
        ["auth0", "Auth0"],
        ["discord", "Discord"],
        ["facebook", "Facebook"],
        ["github", "GitHub"],
        ["gitlab", "GitLab"],
        ["google", "Google"],
        ["keycloak", "Keycloak"],
        ["okta", "Okta"],
        ["slack", "Slack"],
        ["spotify", "Spotify"],
        ["twitch", "Twitch"],
      ] as const) {
        const [former, now] = await idsOf(file, name);
        expect([file, now]).toEqual([file, former]);
      }
    },
    control: () => expect(Object(require("next-auth-4/providers/azure-ad").default({})).id).toBe("microsoft-entra-id"),
  },
  "v4-well-known": {
    shows: async () => {
      const { provider, handler } = oidc(CARDEA);
      const one = site(CARDEA, { providers: [provider] });
      await one.signInWith(handler);
      expect(await one.session()).toMatchObject({ user: { name: "Ann" } });
    },
    control: () =>
      expect(() => CARDEA.start({ providers: [{ ...oidc(CARDEA).provider, issuer: undefined }] })).not.toThrow(),
  },
  "v4-authorization": {
    shows: async () => {
      const authorization = "https://op.example.com/authorize?scope=read";
      const { provider } = oauth(CARDEA, profile, { authorization });
      const asked = await site(CARDEA, { providers: [provider] }).post("signin/op");
      expect(asked.searchParams.get("scope")).toBe("read");
    },
    control: async () => {
      const asked = await site(CARDEA, { providers: [oauth(CARDEA, profile).provider] }).post("signin/op");
      expect(asked.searchParams.get("scope")).toBe("read");
    },
  },
  "v4-profile": {
    shows: async () => {
      const seen: unknown[] = [];
      const given = { profile: (...args: unknown[]) => Object.assign({ name: "Ann" }, { seen: seen.push(...args) }) };
      const { provider, handler } = oauth(CARDEA, profile, given);
      const { location } = await site(CARDEA, { providers: [provider] }).signInWith(handler);
      expect(new URL(location).searchParams.get("error")).toBe("OAuthCallbackError");
      expect(seen).toMatchObject([profile, { access_token: "a" }]);
    },
    control: async () => {
      const { provider, handler } = oauth(CARDEA, profile);
      const { location } = await site(CARDEA, { providers: [provider] }).signInWith(handler);
      expect(new URL(location).searchParams.get("error")).toBe("OAuthCallbackError");
    },
  },
};
