/** What applications that come from Auth.js rely on (docs/from-authjs.md). */

import { Auth } from "@cardea/core";
import type { AuthConfig } from "@cardea/core/types";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, ORIGIN, SECRET, setUp } from "../harness/harness.ts";

describe("moved applications", () => {
  it.each([
    ["jwt", () => setUp()],
    ["database", () => setUpDatabase()],
  ] as const)("events.signOut is not emitted without a session (%s)", async (_, start) => {
    const c = start();
    await c.post(`${BASE}/signout`);
    expect(c.eventNames()).not.toContain("signOut");
  });

  it("callbacks.session receives `expires` as a Date with a database, and the browser text", async () => {
    const seen: unknown[] = [];
    const session: NonNullable<AuthConfig["callbacks"]>["session"] = (given) => {
      seen.push(given.session.expires);
      return given.session;
    };
    const c = setUpDatabase({ config: { callbacks: { session } } });
    await c.signInWithOp();
    expect(await c.session()).toMatchObject({ expires: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(seen.at(-1)).toBeInstanceOf(Date);
  });

  it("a jwt callback that throws at a sign-in shows Configuration", async () => {
    const jwt = () => {
      throw new Error("broken");
    };
    const c = setUp({ mayFail: true, config: { callbacks: { jwt } } });
    const { redirectsTo } = await c.signIn();
    expect(new URL(redirectsTo ?? "", ORIGIN).searchParams.get("error")).toBe("Configuration");
  });

  it("an unknown provider shows the default text, without an error value", async () => {
    const { redirectsTo } = await setUp().post(`${BASE}/signin/unknown`);
    const url = new URL(redirectsTo ?? "", ORIGIN);
    expect([url.pathname, url.searchParams.get("error")]).toEqual([`${BASE}/error`, null]);
  });

  it("HEAD session has the headers of GET", async () => {
    const { headers } = await setUp().send(`${BASE}/session`, { method: "HEAD" });
    expect(headers.get("content-type")).toBe("application/json");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  it.each([
    ["text/html", "text/html; charset=utf-8"],
    ["application/json", "application/json"],
  ])("a broken configuration answers 500 in the form that is asked for: %s", async (accept, type) => {
    const logger = { error: () => undefined, warn: () => undefined, debug: () => undefined };
    const provider = { id: "op", name: "Op", type: "oidc", clientId: "c", clientSecret: "s" } as const;
    const config = { secret: SECRET, trustHost: true, basePath: BASE, logger, providers: [provider] };
    const answer = await Auth(new Request(`${ORIGIN}${BASE}/session`, { headers: { accept } }), config);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([500, type]);
    if (type === "application/json") expect(Object.keys(await answer.json())).toEqual(["message"]);
  });
});
