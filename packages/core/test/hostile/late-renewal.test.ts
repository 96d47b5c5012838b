/** Responses that renew a session, and reach the browser after it signed out or signed in again. */

import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { decode, encode } from "@cardea/core/jwt";
import type { AuthConfig } from "@cardea/core/types";
import { defineExtension } from "@cardea/extend";
import { describe, expect, it } from "vitest";
import { secondProvider, setUpDatabase } from "../harness/database-app.ts";
import { BASE, COOKIE, cookieHeader, ORIGIN, setUp } from "../harness/harness.ts";

type Asking = "read" | "update";

/** A request that renews the session while `meanwhile` happens in the same browser; the session cookies that it sets. */
async function renewedDuring(asking: Asking, meanwhile: (c: ReturnType<typeof setUp>) => Promise<unknown>) {
  let isHeld = false;
  let release = () => {};
  let enter = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const jwt: NonNullable<AuthConfig["callbacks"]>["jwt"] = async ({ token, trigger }) => {
    if (isHeld && (trigger === undefined || trigger === "update")) {
      enter();
      await held;
    }
    return { ...token, reads: Number(token.reads ?? 0) + 1 };
  };
  const c = setUp({ config: { callbacks: { jwt } } });
  await c.signInWithOp();
  const csrfToken = await c.csrfToken();
  const headers = { cookie: cookieHeader(c.browser), origin: ORIGIN };
  const body = JSON.stringify({ csrfToken, data: {} });
  const update = { method: "POST", headers: { ...headers, "content-type": "application/json" }, body };
  isHeld = true;
  const late = c.send(`${BASE}/session`, asking === "read" ? { headers } : update);
  await entered;
  await meanwhile(c);
  release();
  const response = await late;
  return response.headers.getSetCookie().filter((line) => line.startsWith(COOKIE.session));
}

describe.each(["read", "update"] as const)("a slow request that renews the session: %s", (asking) => {
  it("sets the cookie when nothing else happened", async () => {
    expect(await renewedDuring(asking, async () => undefined)).toHaveLength(1);
  });

  it("does not bring the session back after a sign-out", async () => {
    expect(await renewedDuring(asking, (c) => c.post(`${BASE}/signout`))).toEqual([]);
  });

  it("does not replace the session of a newer sign-in", async () => {
    expect(await renewedDuring(asking, (c) => c.signInWithOp())).toEqual([]);
  });
});

const sessionLines = ({ headers }: Response) =>
  headers.getSetCookie().filter((line) => line.startsWith(COOKIE.session));

type App = ReturnType<typeof setUpDatabase>;
const STRATEGIES = ["jwt", "database"] as const;

/** The session cookies that a page sets, with both forms of `auth()`, while `meanwhile` happens in the same browser. */
async function page(c: App, meanwhile: (c: App) => Promise<unknown>) {
  const { auth } = createAuth(c.config);
  const request = () => new Request(`${ORIGIN}/report`, { headers: { cookie: cookieHeader(c.browser) } });
  const headers = new Headers();
  await auth(request(), headers);
  const show = auth(async () => {
    await meanwhile(c);
    return new Response("report");
  });
  return [sessionLines(await show(request())), sessionLines(new Response("report", { headers }))];
}

describe.each(STRATEGIES)("a slow page in a session of the strategy %s", (strategy) => {
  const open = async (config: AuthConfig["extensions"] = []) => {
    const c = setUpDatabase({ strategy, config: { session: { updateAge: 0 }, extensions: config } });
    await c.signInWithOp();
    return c;
  };

  it("renews it if nothing else happened", async () => {
    const lines = [expect.stringMatching(/session-token=[^;]/)];
    expect(await page(await open(), async () => undefined)).toEqual([lines, lines]);
  });

  it("does not bring it back after a sign-out", async () => {
    expect(await page(await open(), (c) => c.post(`${BASE}/signout`))).toEqual([[], []]);
  });

  it("does not replace the session of a newer sign-in", async () => {
    expect(await page(await open(), (c) => c.signInWithOp())).toEqual([[], []]);
  });

  it("does not clear the session of a newer sign-in, if its own has ended", async () => {
    const ended = new Set<string>();
    let isEnding = false;
    const checkSession = ({ sid }: { sid: string }) => {
      if (isEnding) ended.add(sid);
      return ended.has(sid) ? { ended: "revoked" } : "valid";
    };
    const c = await open([defineExtension({ id: "ends", checkSession })]);
    isEnding = true;
    const signInAgain = async () => {
      isEnding = false;
      await c.signInWithOp();
    };
    expect(await page(c, signInAgain)).toEqual([[], []]);
    expect(await c.session()).toMatchObject({ user: expect.anything() });
  });
});

describe("a slow page in a session that has another name", () => {
  const always = { updateAge: 0 };

  it.each([{ extensions: [defineExtension({ id: "later" })] }, { session: { ...always, absolute: 86_400 } }])(
    "does not bring back one that is older than %j",
    async (config) => {
      const before = setUpDatabase({ strategy: "jwt" });
      await before.signInWithOp();
      const c = setUpDatabase({ strategy: "jwt", config: { session: always, ...config } });
      c.browser.cookies.restore(before.browser.cookies.snapshot());
      expect(await page(c, () => c.post(`${BASE}/signout`))).toEqual([[], []]);
    },
  );

  it("does not bring back one whose format has no id", async () => {
    const plain: NonNullable<AuthConfig["jwt"]>["encode"] = ({ token: { jti: _, ...token } = {}, ...params }) =>
      encode({ ...params, token });
    const c = setUpDatabase({ strategy: "jwt", config: { session: always, jwt: { encode: plain, decode } } });
    await c.signInWithOp();
    expect(await page(c, () => c.post(`${BASE}/signout`))).toEqual([[], []]);
  });

  it("clears nothing of a newer sign-in, if another token of its session was replaced", async () => {
    let hasEnded = false;
    const jwt: NonNullable<AuthConfig["callbacks"]>["jwt"] = ({ token, trigger }) =>
      hasEnded && trigger === undefined ? null : token;
    const c = setUpDatabase({ strategy: "jwt", config: { session: always, callbacks: { jwt } } });
    await c.signInWithOp();
    const { auth } = createAuth(c.config);
    const first = cookieHeader(c.browser);
    await c.session();
    hasEnded = true;
    const show = auth(async () => {
      hasEnded = false;
      await c.signInWithOp();
      return new Response("report");
    });
    const request = new Request(`${ORIGIN}/report`, { headers: { cookie: first } });
    expect(sessionLines(await show(request))).toEqual([]);
    expect(await c.session()).toMatchObject({ user: expect.anything() });
  });
});

describe.each(STRATEGIES)("what ends a session of the strategy %s otherwise", (strategy) => {
  it("by an extension's action: a slow page does not bring it back", async () => {
    const leaving = defineExtension({
      id: "leaving",
      actions: {
        "POST leave": {
          ...{ csrf: "required", segment: "none", answers: "json", head: "skip" },
          run: async (action) => {
            await action.session();
            action.clearSession();
            return { kind: "empty", status: 204 };
          },
        },
      },
    });
    const c = setUpDatabase({ strategy, config: { session: { updateAge: 0 }, extensions: [leaving] } });
    await c.signInWithOp();
    expect(await page(c, () => c.post(`${BASE}/leave`))).toEqual([[], []]);
  });

  it.each(["while it is announced", "once it is answered"])(
    "an account that is added %s signs no one in",
    async (at) => {
      const second = secondProvider();
      let meanwhile: (() => Promise<unknown>) | undefined;
      const run = async () => {
        const next = meanwhile;
        meanwhile = undefined;
        await next?.();
      };
      const events = at.startsWith("while") ? { linkAccount: run } : { signIn: run };
      const app = { providers: [second.provider], routes: second.routes, alsoTo: [second.op.issuer] };
      const c = setUpDatabase({ strategy, ...app, config: { events } });
      await c.signInWithOp();
      second.op.user = { sub: "second" };
      const { redirectsTo } = await c.post(`${BASE}/signin/op2`);
      const { url } = await second.op.authorize(new URL(redirectsTo ?? ""));
      const headers = { cookie: cookieHeader(c.browser) };
      meanwhile = () => c.post(`${BASE}/signout`);
      expect(sessionLines(await c.send(`${url.pathname}${url.search}`, { headers }))).toEqual([]);
      expect([meanwhile, await c.session()]).toEqual([undefined, null]);
    },
  );
});

it("an update is stored after a sign-in that failed in the same browser", async () => {
  let isFailing = false;
  const jwt: NonNullable<AuthConfig["callbacks"]>["jwt"] = ({ token, trigger, session }) => {
    if (isFailing && trigger === "signIn") throw new Error("away");
    return trigger === "update" ? { ...token, plan: session.plan } : token;
  };
  const session: NonNullable<AuthConfig["callbacks"]>["session"] = ({ session, token }) => ({
    ...session,
    plan: token?.plan,
  });
  const c = setUp({ config: { callbacks: { jwt, session }, extensions: [defineExtension({ id: "any" })] } });
  await c.signInWithOp();
  isFailing = true;
  await c.signInWithOp();
  const body = JSON.stringify({ csrfToken: await c.csrfToken(), data: { plan: "pro" } });
  const headers = { "content-type": "application/json" };
  await c.browser.fetch(`${BASE}/session`, { method: "POST", headers, body });
  expect(await c.session()).toMatchObject({ plan: "pro" });
});

it("an event handler that takes its time keeps no session alive after a sign-out", async () => {
  let meanwhile: (() => Promise<unknown>) | undefined;
  const session = async () => {
    const run = meanwhile;
    meanwhile = undefined;
    await run?.();
  };
  const c = setUp({ config: { session: { updateAge: 0 }, events: { session } } });
  await c.signInWithOp();
  const headers = { cookie: cookieHeader(c.browser) };
  meanwhile = () => c.post(`${BASE}/signout`);
  expect(sessionLines(await c.send(`${BASE}/session`, { headers }))).toEqual([]);
});

describe.each(STRATEGIES)("an extension that renews the session of the strategy %s", (strategy) => {
  type At = "before" | "after";
  const prove = async (at?: At) => {
    let meanwhile = async (_now: At): Promise<unknown> => undefined;
    const extension = defineExtension({
      id: "proofs",
      actions: {
        "POST prove": {
          ...{ csrf: "required", segment: "none", answers: "json", head: "skip" },
          run: async (action) => {
            await action.session();
            await meanwhile("before");
            await action.renewSession({ f: [["otp", 9]] });
            await meanwhile("after");
            return { kind: "empty", status: 204 };
          },
        },
      },
    });
    const config = { extensions: [extension], store: memoryStore({ instances: 1 }) };
    const c = setUpDatabase({ strategy, config });
    await c.signInWithOp();
    const csrfToken = await c.csrfToken();
    const headers = { cookie: cookieHeader(c.browser), origin: ORIGIN, "content-type": "application/json" };
    meanwhile = async (now) => (now === at ? c.post(`${BASE}/signout`) : undefined);
    return sessionLines(
      await c.send(`${BASE}/prove`, { method: "POST", headers, body: JSON.stringify({ csrfToken }) }),
    );
  };

  it("issues a new token", async () => {
    expect(await prove()).toHaveLength(1);
  });

  it.each(["before", "after"] as const)("brings none back if the user signs out %s it does", async (at) => {
    expect(await prove(at)).toEqual([]);
  });
});
