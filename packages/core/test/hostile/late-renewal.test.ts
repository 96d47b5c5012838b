/** Responses that renew a session, and reach the browser after it signed out or signed in again. */

import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import type { AuthConfig } from "@cardea/core/types";
import { defineExtension } from "@cardea/extend";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
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

describe.each(STRATEGIES)("a slow page in a session of the strategy %s", (strategy) => {
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
