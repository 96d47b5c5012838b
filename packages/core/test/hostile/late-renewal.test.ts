/** Responses that renew a session, and reach the browser after it signed out or signed in again. */

import { memoryStore } from "@cardea/core/adapters";
import type { AuthConfig } from "@cardea/core/types";
import { defineExtension } from "@cardea/extend";
import { describe, expect, it } from "vitest";
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

it.each([true, false])(
  "an extension that renews the session brings none back after a sign-out: %s",
  async (signsOut) => {
    let meanwhile: () => Promise<unknown> = async () => undefined;
    const extension = defineExtension({
      id: "proofs",
      actions: {
        "POST prove": {
          ...{ csrf: "required", segment: "none", answers: "json", head: "skip" },
          run: async (action) => {
            await action.session();
            await meanwhile();
            await action.renewSession({ f: [["otp", 9]] });
            return { kind: "empty", status: 204 };
          },
        },
      },
    });
    const c = setUp({ config: { extensions: [extension], store: memoryStore({ instances: 1 }) } });
    await c.signInWithOp();
    const csrfToken = await c.csrfToken();
    const headers = { cookie: cookieHeader(c.browser), origin: ORIGIN, "content-type": "application/json" };
    if (signsOut) meanwhile = () => c.post(`${BASE}/signout`);
    const late = await c.send(`${BASE}/prove`, { method: "POST", headers, body: JSON.stringify({ csrfToken }) });
    const set = late.headers.getSetCookie().filter((line) => line.startsWith(COOKIE.session));
    expect(set).toHaveLength(signsOut ? 0 : 1);
  },
);
