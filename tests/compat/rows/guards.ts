import { type AuthConfig, createAuth } from "@cardea/core";
import { initAuthConfig, verifyAuth } from "@cardea/hono";
import { createMemoryAdapter } from "@cardea/testing";
import { Hono } from "hono";
import { expect, vi } from "vitest";
import { type Library, type Observations, ORIGIN, oauth, password, SECRET, site } from "./library.ts";

/** Its declarations would add those of another `ContextVariableMap` to the program. */
const formerHono = "@hono/auth-js";
const former: Readonly<Record<"initAuthConfig" | "verifyAuth", unknown>> = await import(/* @vite-ignore */ formerHono);

type Authorized = NonNullable<NonNullable<AuthConfig["callbacks"]>["authorized"]>;

/** What a signed-in user gets from a handler behind `authorized`. */
async function outcome(authorized: unknown, path = "/members", accept = "text/html"): Promise<string> {
  const { auth } = createAuth({
    ...{ secret: SECRET, trustHost: true, providers: [], pages: { signIn: "/login", error: "/oops" } },
    ...{ callbacks: { authorized: authorized as Authorized }, logger: { error: () => {}, warn: () => {} } },
  });
  const guarded = auth(() => new Response("handler"));
  const answer = await guarded(new Request(`${ORIGIN}${path}`, { headers: { accept, "sec-fetch-mode": "navigate" } }));
  const location = answer.headers.get("location");
  return location === null
    ? `${answer.status} ${await answer.text()}`
    : `${answer.status} ${new URL(location).pathname}`;
}

const DENIED = "302 /login";

/** What `authUser` has in an application of Hono, with the session that a password gave. */
async function hono(library: Library, given: object) {
  const [initial, verify] = library.isFormer
    ? [former.initAuthConfig, former.verifyAuth]
    : [initAuthConfig, verifyAuth];
  const config = { secret: SECRET, trustHost: true, basePath: "/auth", providers: [password], ...given };
  const one = site(library, given);
  await one.signIn();
  const app = new Hono();
  app.onError((error) => Response.json(error.name, { status: 500 }));
  app.use(
    "*",
    Object(initial)(() => ({ ...config, logger: { error: () => {}, warn: () => {} } })),
  );
  app.use("*", Object(verify)());
  app.get("/members", (c) => c.json(Object(c).get("authUser")));
  return app.request(`${ORIGIN}/members`, { headers: { cookie: one.cookieHeader() } });
}

export const GUARDS: Observations = {
  "authorized-false": {
    shows: async () => expect(await outcome(() => false)).toBe(DENIED),
    control: async () => expect(await outcome(() => true)).toBe(DENIED),
  },
  "authorized-undefined": {
    shows: async () => expect([await outcome(() => undefined), await outcome(() => null)]).toEqual([DENIED, DENIED]),
    control: async () => expect(await outcome(() => true)).toBe(DENIED),
  },
  "authorized-true": {
    shows: async () => {
      for (const value of [{ name: "Ann" }, "yes", 1, []]) expect(await outcome(() => value)).toBe(DENIED);
      expect(await outcome(() => true)).toBe("200 handler");
    },
    control: async () => expect(await outcome(() => true)).toBe(DENIED),
  },
  "authorized-own-pages": {
    shows: async () => {
      expect([await outcome(() => false, "/login"), await outcome(() => false, "/oops")]).toEqual([
        "200 handler",
        "200 handler",
      ]);
    },
    control: async () => expect(await outcome(() => false, "/members")).toBe("200 handler"),
  },
  "hono-outage": async (library) => {
    const jwt = ({ token, account }: { token: object; account?: object | null }) => {
      if (account == null) throw new Error("unreachable");
      return token;
    };
    const answer = await hono(library, { callbacks: { jwt } });
    expect([answer.status, await answer.text()]).toEqual([500, '"SessionUnavailable"']);
  },
  "ways-in": async (library) => {
    const { adapter } = createMemoryAdapter();
    const profile = { id: "0", name: "Ann", email: "ann@example.com" };
    const { provider, handler } = oauth(library, profile);
    const one = site(library, { adapter, session: { strategy: "jwt" }, providers: [provider] });
    await one.signInWith(handler);
    const user = await adapter.getUserByEmail("ann@example.com");
    const account = { type: "oauth", provider: "op", userId: user?.id ?? "" } as const;
    for (let n = 1; n < 100; n += 1) await adapter.linkAccount({ ...account, providerAccountId: `${n}` });
    profile.id = "one too many";
    await one.signInWith(handler);
    expect(await adapter.getUserByAccount({ provider: "op", providerAccountId: profile.id })).toBe(null);
  },
  "time-limits": async (library) => {
    const one = site(library, { callbacks: { signIn: () => new Promise(() => {}) } });
    const csrfToken = await one.csrf();
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const body = new URLSearchParams({ csrfToken, username: "ann" });
    const headers = { cookie: one.cookieHeader() };
    const answered = one.ask("callback/credentials", { method: "POST", body, headers }).then(({ status }) => status);
    const waited = (async () => {
      for (let seconds = 0; seconds < 31; seconds += 1) {
        await vi.advanceTimersByTimeAsync(1000);
        await new Promise((resolve) => setImmediate(resolve));
      }
      return "nothing in 31 seconds";
    })();
    const first = await Promise.race([answered, waited]);
    vi.useRealTimers();
    expect(first).toBe(302);
  },
  "adapter-deleted": {
    shows: () => signOutTwice({}),
    control: () => signOutTwice({ deleteSession: () => Promise.reject(new Error("no such row")) }),
  },
};

/** Two tabs sign out at once: the row is gone when the second one deletes it. */
async function signOutTwice(over: object): Promise<void> {
  const { adapter } = createMemoryAdapter();
  const user = await adapter.createUser({ id: "", name: "Ann", email: "a@example.com", emailVerified: null });
  await adapter.createSession({ sessionToken: "t", userId: user.id, expires: new Date(Date.now() + 60_000) });
  const both = { ...adapter, ...over };
  const ended = await Promise.allSettled([both.deleteSession("t"), both.deleteSession("t")]);
  expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
}
