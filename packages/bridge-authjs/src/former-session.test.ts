import { type AuthConfig, createAuth } from "@cardea/core";
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { formerServerSession, formerSession } from "./former-session.ts";

const secret = "a secret of more than thirty-two bytes for tests";
const created = new Date("2026-01-02T03:04:05Z");
const row = {
  name: "Ann",
  email: "ann@example.com",
  emailVerified: created,
  image: null,
  banned: true,
  password: "hash",
};

type SessionCallback = NonNullable<AuthConfig["callbacks"]>["session"];

/** What `auth()` resolves to, and what GET `session` answers, for the session of a row. */
async function read(wrap: (config: AuthConfig) => AuthConfig, session?: SessionCallback) {
  const { adapter } = createMemoryAdapter();
  const { id: userId } = await adapter.createUser({ id: "", ...row });
  await adapter.createSession({ sessionToken: "token", userId, expires: new Date(Date.now() + 86_400_000) });
  const callbacks = session === undefined ? {} : { session };
  const { auth, handlers } = createAuth(wrap({ secret, adapter, providers: [], callbacks, trustHost: true }));
  const request = (path: string) =>
    new Request(`http://localhost${path}`, { headers: { cookie: "cardea.session-token=token" } });
  const shown: unknown = await (await handlers.GET(request("/auth/session"))).json();
  return { userId, onServer: await auth(request("/")), shown };
}

const publicUser = { name: "Ann", email: "ann@example.com", image: null };
const whole = { ...row, emailVerified: created.toISOString() };

describe("formerServerSession()", () => {
  it("rule 1: shows the whole row on the server where there is no callback, and rule 2: no more than before in the browser", async () => {
    const { userId, onServer, shown } = await read(formerServerSession);
    expect({ ...onServer }).toEqual({ userId, user: { id: userId, ...whole }, expires: expect.any(String) });
    expect(shown).toEqual({ user: publicUser, expires: expect.any(String) });
  });

  it("rule 2: shows the named columns in the browser", async () => {
    const { shown } = await read((config) => formerServerSession(config, ["banned"]));
    expect(shown).toMatchObject({ user: { ...publicUser, banned: true } });
  });

  it.each<[string, SessionCallback, object, unknown]>([
    ["nothing", () => undefined as never, whole, null],
    ["null", () => null as never, whole, null],
    ["an empty object", () => ({}) as never, whole, {}],
    ["an object without user", () => ({ expires: "", role: "x" }), whole, { expires: "", role: "x" }],
    [
      "an object with a user",
      () => ({ expires: "", user: { name: "x" } }),
      { name: "x" },
      { expires: "", user: { name: "x" } },
    ],
  ])(
    "rule 1: adds the row where the callback returns %s, unless it has a user",
    async (_what, callback, user, browser) => {
      const { onServer, shown } = await read(formerServerSession, callback);
      expect(onServer).toMatchObject({ user });
      expect(shown).toEqual(browser);
    },
  );

  it("rule 3: has texts for dates", async () => {
    const { onServer } = await read(formerServerSession, ({ session }) => session);
    expect(onServer).toMatchObject({ expires: expect.any(String), user: { emailVerified: created.toISOString() } });
  });

  it("throws where the token of the session is read", async () => {
    for (const callback of [undefined, ({ session }: { session: object }) => session as never]) {
      const { onServer } = await read(formerServerSession, callback);
      expect(() => Object(onServer).sessionToken).toThrow("sessionToken");
    }
  });

  it("adds the token of cookie sessions, and takes functions", async () => {
    const config = { secret, providers: [], callbacks: { session: () => ({ expires: "", role: "x" }) } };
    const resolve = formerServerSession(async () => config);
    const callback = Object((await resolve()).callbacks).session;
    const params = { session: { user: {}, expires: "" }, token: { sub: "1", banned: true } };
    expect({ ...(await callback(params)) }).toEqual({ user: { sub: "1", banned: true }, expires: "", role: "x" });
    expect(await resolve()).toBe(await resolve());
    expect(formerServerSession(config)).toBe(await resolve());
  });
});

describe("formerSession()", () => {
  it("gives the callback the whole row", async () => {
    const { userId, onServer, shown } = await read(formerSession, ({ session }) => session);
    expect(onServer).toMatchObject({ userId, user: { ...row, id: userId } });
    expect(shown).toMatchObject({ userId, user: whole });
  });

  it("changes nothing without a callback", async () => {
    const { onServer, shown } = await read(formerSession);
    expect(onServer).toEqual({ user: publicUser, expires: expect.any(String) });
    expect(shown).toEqual(onServer);
  });
});
