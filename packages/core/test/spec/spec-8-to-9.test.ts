/** What section 8 of the specification promises, limits, and of section 9 what is kept for older applications. */

import type { JWT, SemverString } from "@cardea/core/types";
import { describe, expect, expectTypeOf, it, vi } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, cookieHeader, installClock, ORIGIN, SECRET, setUp } from "../harness/harness.ts";
import { DAY, read, signedIn } from "../harness/session-journeys.ts";

describe("limits", () => {
  it.each([
    ["a session in a cookie", undefined, 30 * DAY],
    ["a session as configured", 600, 600],
  ])("spec 8 maxAge ends %s (configured: %s) after %i seconds", async (_, maxAge, seconds) => {
    const { c, clock } = await signedIn({ session: { maxAge } });
    const copied = { headers: { cookie: cookieHeader(c.browser) } };
    const replay = async () => (await c.send(`${BASE}/session`, copied)).json();
    clock.advance({ seconds: seconds - 1 });
    expect(await replay()).toMatchObject({ user: { name: "ann" } });
    clock.advance({ seconds: 30 });
    expect(await replay()).toBe(null);
  });

  it.each([
    [undefined, 30 * DAY],
    [600, 600],
  ])(
    "spec 8 maxAge ends a session in a database as well (configured: %s) after %i seconds",
    async (maxAge, seconds) => {
      const clock = installClock();
      const c = setUpDatabase({ config: { session: { maxAge } } });
      const start = Date.now();
      await c.signInWithOp();
      const [row] = c.memory.snapshot().sessions;
      expect(row?.expires.getTime()).toBe(start + seconds * 1000);
      clock.advance({ seconds: seconds + 30 });
      expect(await c.session()).toBe(null);
    },
  );

  it("spec 8 updateAge renews a session after a day, with 0 at every read", async () => {
    const { c, clock } = await signedIn();
    clock.advance({ seconds: DAY - 1 });
    expect((await read(c)).set).toEqual([]);
    clock.advance({ seconds: 1 });
    expect((await read(c)).set).toHaveLength(1);
    expect((await read(c)).set).toEqual([]);
    const eager = await signedIn({ session: { updateAge: 0 } });
    for (let n = 0; n < 2; n++) expect((await read(eager.c)).set).toHaveLength(1);
  });
});

describe("sessions in use", () => {
  it.each([
    ["jwt", { session: { maxAge: 3600 } }],
    ["jwt", { session: { maxAge: 90 * DAY }, jwt: { maxAge: 3600 } }],
    ["database", { session: { maxAge: 3600 } }],
    ["database", { session: { maxAge: 3600 }, jwt: { maxAge: 90 * DAY } }],
  ] as const)(
    "spec 8 with %s sessions and %j, one that is read every half hour does not end",
    async (strategy, config) => {
      const clock = installClock();
      const c = strategy === "jwt" ? setUp({ config }) : setUpDatabase({ config });
      await (strategy === "jwt" ? c.signIn() : c.signInWithOp());
      for (let n = 0; n < 4; n++) {
        clock.advance({ seconds: 1800 });
        expect((await read(c)).body).toMatchObject({ user: { name: expect.any(String) } });
      }
      clock.advance({ seconds: 3630 });
      expect((await read(c)).body).toBe(null);
    },
  );
});

describe("versions", () => {
  it("spec 9.2 reads secret and URL from the older variable names", async () => {
    const issuing = setUp();
    await issuing.signIn();
    for (const name of ["AUTH_SECRET", "AUTH_SECRET_1", "AUTH_SECRET_2", "AUTH_SECRET_3", "AUTH_URL"])
      vi.stubEnv(name, "");
    vi.stubEnv("NEXTAUTH_SECRET", SECRET);
    vi.stubEnv("NEXTAUTH_URL", ORIGIN);
    const c = setUp({ config: { secret: undefined, trustHost: undefined } });
    const cookie = cookieHeader(issuing.browser);
    const session = await c.send(`${BASE}/session`, { headers: { cookie } });
    expect(await session.json()).toMatchObject({ user: { name: "ann" } });
    const providers = await c.visit(new Request(`https://other.example${BASE}/providers`));
    expect(await providers.json()).toMatchObject([{ callbackUrl: `${ORIGIN}${BASE}/callback/op` }, {}]);
  });

  it("spec 9.4 callbacks.jwt is still told isNewUser", async () => {
    const seen: unknown[] = [];
    const jwt = ({ token, trigger, isNewUser }: { token: JWT; trigger?: unknown; isNewUser?: unknown }) => {
      seen.push([trigger, isNewUser]);
      return token;
    };
    const c = setUpDatabase({ strategy: "jwt", config: { callbacks: { jwt } } });
    await c.signInWithOp();
    await c.signOut();
    await c.signInWithOp();
    expect(seen).toEqual([
      ["signUp", true],
      ["signIn", false],
    ]);
  });

  // Checked by tsc, which fails on a type that is wider or narrower.
  it("spec 9.7 a version is v1, v1.2 or v1.2.3", () => {
    expectTypeOf<"v1" | "v1.2" | "v1.2.3">().toExtend<SemverString>();
    expectTypeOf<"1.2.3">().not.toExtend<SemverString>();
    expectTypeOf<"v1.x">().not.toExtend<SemverString>();
  });
});
