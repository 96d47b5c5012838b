import { createAuth } from "@cardea/core";
import type { AuthConfig, JWT } from "@cardea/core/types";
import { describe, expect, it, vi } from "vitest";
import { BASE, COOKIE, cookieHeader, installClock, recordOf, setUp } from "../harness/harness.ts";

const SC = COOKIE.session;

/** What a program without types might pass. */
function parseSecret(value: unknown): AuthConfig["secret"] {
  return value as AuthConfig["secret"];
}

function parseClaims(value: unknown): JWT {
  return value as JWT;
}

describe("session token", () => {
  it.each([
    { secret: undefined },
    { secret: "" },
    { secret: [] },
    { secret: [""] },
    { secret: ["  "] },
    { secret: "   " },
    { secret: [undefined] },
  ])("H081 %j is no secret in production", ({ secret }) => {
    for (const name of ["AUTH_SECRET", "NEXTAUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3"]) {
      vi.stubEnv(name, "");
    }
    vi.stubEnv("NODE_ENV", "production");
    const config = { ...setUp().config, secret: parseSecret(secret) };
    expect(() => createAuth(config)).toThrow(expect.objectContaining({ type: "MissingSecretError" }));
  });

  it("H083 a copied token lives until its end and no longer: without a database there is nowhere to revoke it", async () => {
    const clock = installClock();
    const c = setUp({ config: { session: { maxAge: 600 } } });
    await c.signIn();
    const copied = cookieHeader(c.browser);
    await c.post(`${BASE}/signout`);
    expect(await c.session()).toBe(null);
    const replay = async () => (await c.send(`${BASE}/session`, { headers: { cookie: copied } })).json();
    clock.advance({ seconds: 599 });
    expect(await replay()).toMatchObject({ user: { name: "ann" } });
    clock.advance({ seconds: 1 + 15 });
    expect(await replay()).toBe(null);
  });

  it("H084 callbacks.jwt ends the session by returning null", async () => {
    const c = setUp({ config: { callbacks: { jwt: ({ trigger, token }) => (trigger === undefined ? null : token) } } });
    await c.signIn();
    expect(await c.session()).toBe(null);
    expect(c.browser.cookies.get(SC)).toBe(undefined);
  });

  it.each([["x"], [[]], [undefined], [5], [true]])(
    "H084 callbacks.jwt that returns %j harms no session",
    async (nonsense) => {
      let result: unknown;
      const jwt = ({ token }: { token: JWT }) => (result === undefined ? token : parseClaims(nonsense));
      const c = setUp({ config: { callbacks: { jwt } }, mayFail: true });
      await c.signIn();
      const before = c.browser.cookies.get(SC)?.value;
      result = "broken";
      const answer = await c.browser.fetch(`${BASE}/session`);
      expect([answer.status, await answer.json(), answer.headers.getSetCookie()]).toEqual([503, null, []]);
      expect(recordOf(answer).logs).toMatchObject([{ level: "error" }]);
      result = undefined;
      expect(await c.session()).toMatchObject({ user: { name: "ann" } });
      expect(c.browser.cookies.get(SC)?.value).toBe(before);
    },
  );
});
