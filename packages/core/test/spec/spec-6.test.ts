/** What section 6 of the specification promises: events observe, callbacks decide. */

import { createAuth } from "@cardea/core";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, type Case, cookieHeader, ORIGIN, PASSWORD, setUp } from "../harness/harness.ts";
import { attempt } from "../harness/oauth-journeys.ts";
import { update } from "../harness/session-journeys.ts";

/** The messages of one event. */
function messagesOf(c: Case, event: string): unknown[] {
  return c.events.filter(({ name }) => name === event).map(({ message }) => message);
}

describe("events", () => {
  it("spec 6 events.signIn is told the user, the account and what the provider said", async () => {
    const c = setUp();
    await c.signIn();
    await c.signInWithOp();
    expect(messagesOf(c, "signIn")).toMatchObject([
      { user: { id: "7", name: "ann" }, account: { provider: "credentials", type: "credentials" } },
      {
        user: { name: "Ada Lovelace" },
        account: { provider: "op", type: "oidc" },
        profile: { sub: expect.any(String) },
      },
    ]);
    await c.signIn({ password: "wrong" });
    expect(messagesOf(c, "signIn")).toHaveLength(2);
  });

  it("spec 6 events.session spec 6 events.signOut are told the token of a session in a cookie", async () => {
    const c = setUp();
    expect(await c.session()).toBe(null);
    expect(messagesOf(c, "session")).toEqual([]);
    await c.signIn();
    await c.session();
    expect(messagesOf(c, "session")).toMatchObject([{ session: { user: { name: "ann" } }, token: { sub: "7" } }]);
    await c.post(`${BASE}/signout`);
    expect(messagesOf(c, "signOut")).toMatchObject([{ token: { sub: "7" } }]);
  });

  it("spec 6 events.session spec 6 events.signOut are told the session of a database, and no token", async () => {
    const c = setUpDatabase();
    await c.signInWithOp();
    const [row] = c.memory.snapshot().sessions;
    await c.session();
    await c.signOut();
    expect(messagesOf(c, "session")).toMatchObject([{ session: { user: { name: "Ada Lovelace" } } }]);
    expect(messagesOf(c, "signOut")).toMatchObject([{ session: { userId: row?.userId } }]);
    expect([...messagesOf(c, "session"), ...messagesOf(c, "signOut")].filter((one) => "token" in Object(one))).toEqual(
      [],
    );
  });

  it.each([
    ["jwt", () => setUp()],
    ["database", () => setUpDatabase()],
  ] as const)("spec 6 events.session is told of a read and of an update, with the strategy %s", async (_, start) => {
    const c = start();
    await c.signInWithOp();
    await c.session();
    expect(messagesOf(c, "session")).toHaveLength(1);
    expect((await update(c, { name: "Bea" })).status).toBe(200);
    expect(messagesOf(c, "session")).toMatchObject([{}, { session: { user: { name: "Ada Lovelace" } } }]);
  });

  it("spec 9 events observe only: one that throws is logged and changes nothing", async () => {
    const signIn = () => Promise.reject(new Error("the audit log is down"));
    const c = setUp({ config: { events: { signIn } } });
    expect((await c.signIn()).redirectsTo).toBe(`${ORIGIN}/`);
    expect(await c.session()).toMatchObject({ user: { name: "ann" } });
    const errors = c.logs.filter(({ level }) => level === "error");
    expect(errors.map(({ values }) => values[0])).toMatchObject([{ type: "EventError" }]);
  });
});

describe("callbacks", () => {
  it("spec 6 callbacks.jwt spec 6 callbacks.session: what jwt returns is stored, what session returns is seen", async () => {
    const seen: object[] = [];
    const c = setUp({
      config: {
        callbacks: {
          jwt: (params) => {
            seen.push(params);
            return params.trigger === undefined ? params.token : { ...params.token, role: params.session ?? "admin" };
          },
          session: ({ session, token, trigger, newSession }) => ({ ...session, role: token.role, trigger, newSession }),
        },
      },
    });
    await c.signInWithOp();
    expect(seen).toMatchObject([
      {
        trigger: "signIn",
        token: { name: "Ada Lovelace", email: expect.any(String), sub: expect.any(String) },
        user: { name: "Ada Lovelace" },
        account: { provider: "op" },
        profile: { sub: expect.any(String) },
      },
    ]);
    expect(await c.session()).toMatchObject({ user: { name: "Ada Lovelace" }, role: "admin" });
    expect(Object.keys(seen[1] ?? {})).toEqual(["token"]);
    const updated = await update(c, "editor");
    expect(await updated.json()).toMatchObject({ role: "editor", trigger: "update", newSession: "editor" });
    expect(seen[2]).toMatchObject({ trigger: "update", session: "editor" });
    expect(await c.session()).toMatchObject({ role: "editor" });
  });

  it("spec 6 callbacks.session gets the user of the database, and no token", async () => {
    const seen: object[] = [];
    const session = (params: { session: object; user: { id: string } }) => {
      seen.push(params);
      return { expires: "", ...params.session, id: params.user.id };
    };
    const c = setUpDatabase({ config: { callbacks: { session } } });
    await c.signInWithOp();
    const [user] = c.memory.snapshot().users;
    expect(await c.session()).toMatchObject({ id: user?.id });
    expect("token" in (seen[0] ?? {})).toBe(false);
  });

  it.each([
    [true, `${ORIGIN}/dash`, true],
    [false, `${ORIGIN}${BASE}/error?error=AccessDenied`, false],
    ["/blocked", `${ORIGIN}/blocked`, false],
  ])("spec 9 callbacks spec 6 callbacks.signIn that answers %j leads to %s", async (answer, target, signedIn) => {
    const seen: unknown[] = [];
    const signIn = (params: unknown) => {
      seen.push(params);
      return answer;
    };
    const c = setUp({ config: { callbacks: { signIn } } });
    expect((await c.signIn({ callbackUrl: "/dash" })).redirectsTo).toBe(target);
    expect((await c.session()) !== null).toBe(signedIn);
    expect((await attempt(c)).redirectsTo).toBe(target);
    expect(seen).toMatchObject([
      { user: { id: "7" }, account: { type: "credentials" }, credentials: { username: "ann", password: PASSWORD } },
      { user: { name: "Ada Lovelace" }, account: { type: "oidc" }, profile: { sub: expect.any(String) } },
    ]);
  });

  it("spec 6 callbacks.redirect chooses where to go after sign-in and sign-out; without it only our own origin", async () => {
    const asked: unknown[] = [];
    const redirect = (params: { url: string; baseUrl: string }) => {
      asked.push(params);
      return `${params.baseUrl}/chosen`;
    };
    const c = setUp({ config: { callbacks: { redirect } } });
    expect((await c.signIn({ callbackUrl: "https://partner.example/" })).redirectsTo).toBe(`${ORIGIN}/chosen`);
    expect((await c.post(`${BASE}/signout`, { callbackUrl: "/bye" })).redirectsTo).toBe(`${ORIGIN}/chosen`);
    expect(asked).toEqual([
      { url: "https://partner.example/", baseUrl: ORIGIN },
      { url: "/bye", baseUrl: ORIGIN },
    ]);
    const plain = setUp();
    expect((await plain.signIn({ callbackUrl: "https://partner.example/" })).redirectsTo).toBe(`${ORIGIN}/`);
    expect((await plain.signIn({ callbackUrl: `${ORIGIN}/dash` })).redirectsTo).toBe(`${ORIGIN}/dash`);
  });

  it.each([
    ["true", () => true, 200],
    ["false", () => false, 302],
    ["nothing", () => undefined, 302],
    ["a response", () => new Response("not today", { status: 418 }), 418],
  ])("spec 6 callbacks.authorized that answers %s decides about a request", async (_, authorized, status) => {
    const seen: unknown[] = [];
    const c = setUp();
    const ask = ({ auth }: { auth: unknown }) => {
      seen.push(auth);
      return authorized();
    };
    const { auth } = createAuth({ ...c.config, callbacks: { authorized: ask } });
    const guarded = auth(() => new Response("inside"));
    const anonymous = await guarded(new Request(`${ORIGIN}/private?a=b`));
    await c.signIn();
    const known = await guarded(new Request(`${ORIGIN}/private`, { headers: { cookie: cookieHeader(c.browser) } }));
    expect([anonymous.status, known.status]).toEqual([status, status]);
    expect(seen).toMatchObject([null, { user: { name: "ann" } }]);
    const signInPage = `${ORIGIN}${BASE}/signin?callbackUrl=${encodeURIComponent("/private?a=b")}`;
    expect(anonymous.headers.get("location")).toBe(status === 302 ? signInPage : null);
  });
});
