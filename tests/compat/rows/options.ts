import * as formerErrors from "@auth/core/errors";
import Passkey from "@auth/core/providers/passkey";
import { createMemoryAdapter } from "@cardea/testing";
import { expect } from "vitest";
import { type Library, type Observations, password, SECRET, site } from "./library.ts";

const DAY = 86_400_000;

/** The warnings of a start, or of a first request. */
async function warningsOf(library: Library, given: object): Promise<readonly string[]> {
  const { ask, logged } = site(library, given);
  await ask("session");
  return logged.filter(({ level }) => level === "warn").map(({ text }) => text);
}

/** A database whose session has another form of time. */
async function withTimes(library: Library, expires: unknown) {
  const { adapter } = createMemoryAdapter();
  const user = await adapter.createUser({ id: "", name: "Ann", email: "a@example.com", emailVerified: null });
  const getSessionAndUser = async () => ({ session: { sessionToken: "t", userId: user.id, expires }, user });
  const given = { adapter: { ...adapter, getSessionAndUser }, session: { strategy: "database" }, providers: [] };
  const headers = { cookie: `${library.cookie("session-token")}=t` };
  return (await site(library, given).ask("session", { headers })).json();
}

const typeOf = (Former: unknown) => Object(new (Object(Former))("x")).type;

export const OPTIONS: Observations = {
  "provider-members": (library) => {
    const github = Object(library.GitHub({ clientId: "id" }));
    expect(github.authorization).toMatchObject({ url: expect.stringContaining("https://github.com/") });
    expect([github.token, github.userinfo]).toMatchObject([{ url: expect.any(String) }, { url: expect.any(String) }]);
    expect(github.options).toMatchObject({ clientId: "id" });
  },
  "provider-limits": (library) => {
    for (const option of ["tenantId", "domain", "organization", "team", "allowedEmails"])
      expect(() => library.Google({ clientId: "id", [option]: "example.com" })).toThrow(`\`${option}\``);
  },
  "provider-refused": (library) => {
    const provider = { id: "x", name: "X", type: "oidc", clientId: "id", clientSecret: "secret" };
    expect(() => library.start({ providers: [provider] })).toThrow(/providers\[0\]/);
  },
  "missing-keys": (library) => {
    expect(() => library.start({ providers: [library.GitHub] })).toThrow("AUTH_GITHUB_ID");
    expect(() => library.start({ providers: [false, null, undefined, ""] })).not.toThrow();
  },
  "passkey-objects": (library) => {
    const { adapter } = createMemoryAdapter();
    const given = { adapter, providers: [Passkey], experimental: { enableWebAuthn: true } };
    expect(() => library.start(given)).toThrow("@cardea/providers-webauthn");
  },
  "secret-order": (library) => {
    const config: { providers: []; secret?: unknown } = { providers: [] };
    library.setEnvDefaults({ AUTH_SECRET: "0", AUTH_SECRET_1: "1", AUTH_SECRET_2: "2" }, config);
    expect(config.secret).toEqual(["0", "1", "2"]);
  },
  "short-secrets": async (library) => {
    expect(await warningsOf(library, { secret: "short" })).toContainEqual(expect.stringContaining("short-secret"));
    expect(await warningsOf(library, { secret: SECRET })).toEqual([]);
  },
  "unknown-options": async (library) => {
    expect(await warningsOf(library, { trustHosts: true })).toContainEqual(
      expect.stringMatching(/trustHosts.*trustHost/),
    );
  },
  "error-classes": (library) => {
    expect(Object.keys(library.errors)).toEqual(
      expect.arrayContaining(["MissingSecretError", "AccountNotLinked", "isAuthError"]),
    );
    const { AccountNotLinked, isAuthError, MissingSecretError, OAuthCallbackError } = Object(library.errors);
    expect([new AccountNotLinked("x").type, new MissingSecretError("x").type]).toEqual([
      "OAuthAccountNotLinked",
      "MissingSecretError",
    ]);
    for (const [name, Former] of Object.entries(formerErrors)) {
      const Ours = Object(library.errors)[name];
      if (Ours !== undefined && name !== "AccountNotLinked")
        expect([name, new Ours("x").type]).toEqual([name, typeOf(Former)]);
    }
    expect([new OAuthCallbackError("x").kind, isAuthError(new MissingSecretError("x"))]).toEqual(["signIn", true]);
  },
  "framework-adapters": {
    shows: (library) => {
      const names = ["Auth", "raw", "skipCSRFCheck", "setEnvDefaults", "createActionURL", "isAuthAction"];
      expect(Object.keys(library.core)).toEqual(expect.arrayContaining(names));
    },
    control: () => expect(Object.keys(password)).toContain("Auth"),
  },
  "adapter-times": async (library) => {
    const later = new Date(Date.now() + DAY);
    const text = later.toISOString();
    for (const expires of [later, later.getTime(), text, text.replace("Z", ""), text.slice(0, 19).replace("T", " ")])
      expect(await withTimes(library, expires)).toMatchObject({ user: { name: "Ann" } });
    expect(await withTimes(library, "never").catch(() => null)).toBe(null);
  },
  "adapter-missing": (library) => {
    const { updateUser: _, ...adapter } = createMemoryAdapter().adapter;
    const email = {
      id: "email",
      name: "E-mail",
      type: "email",
      from: "a@b.example",
      sendVerificationRequest: () => {},
    };
    expect(() => library.start({ adapter, providers: [email] })).toThrow("updateUser");
  },
};
