/** `callbacks.allowAttempt`: asked before anything is checked, sent or verified (ASVS 6.3.1). */

import type { AttemptParams, Callbacks } from "@cardea/core/types";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useOwnTimers } from "../../../testing/src/own-timers.ts";
import { setUpDatabase } from "../harness/database-app.ts";
import { APPLICATION_TIMEOUT_MS } from "../harness/fixture.ts";
import { BASE, COOKIE, expectRefused, ORIGIN, PASSWORD, setUp } from "../harness/harness.ts";
import { setUpPasskeys } from "../harness/passkey-app.ts";

const CALLBACK = `${BASE}/callback/door`;

/** A door that notes who knocked, behind a callback. */
function withDoor(allowAttempt: NonNullable<Callbacks["allowAttempt"]>, options: { readonly mayFail?: boolean } = {}) {
  const asked: unknown[] = [];
  const authorize = async ({ username }: Partial<Record<string, unknown>>, request: Request) => {
    asked.push(username, await request.text());
    return { id: "7", name: String(username) };
  };
  const door = { id: "door", name: "Door", type: "credentials" as const, credentials: {}, authorize };
  const c = setUp({ providers: [door], config: { callbacks: { allowAttempt } }, ...options });
  return { c, asked, knock: () => c.post(CALLBACK, { username: "ann", password: PASSWORD }) };
}

const cookieNames = ({ headers }: Response) => headers.getSetCookie().map((line) => /^[\w-]+\.[\w-]+/.exec(line)?.[0]);

describe("callbacks.allowAttempt", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("ASVS 6.3.1 is asked before authorize(), with a request that both can read", async () => {
    const attempts: unknown[] = [];
    const { asked, knock } = withDoor(async ({ provider, type, identifier, credentials, request }) => {
      attempts.push(provider, type, identifier, credentials, asked.length, (await request.formData()).get("username"));
      return true;
    });
    expect((await knock()).redirectsTo).toBe(`${ORIGIN}/`);
    const typed = { username: "ann", password: PASSWORD };
    expect(attempts).toEqual(["door", "credentials", undefined, typed, 0, "ann"]);
    expect(asked).toEqual(["ann", expect.stringContaining("username=ann")]);
  });

  it.each([[false], [undefined], [null], ["true"], [1]])(
    "refuses with %o, and asks authorize() nothing",
    async (verdict) => {
      const { c, asked, knock } = withDoor(() => parseVerdict(verdict));
      const visit = await knock();
      expectRefused(visit);
      expect(visit.redirectsTo).toBe(`${ORIGIN}${BASE}/signin?error=CredentialsSignin&code=too_many_attempts`);
      expect([asked, await c.session()]).toEqual([[], null]);
      expect(c.logs.filter(({ text }) => !text.startsWith("shared-subjects: ")).map(({ text }) => text)).toEqual([
        expect.stringContaining("Too many attempts"),
      ]);
    },
  );

  it.each([
    ["rejects", () => Promise.reject(new Error("the counter is away"))],
    [
      "throws",
      () => {
        throw new Error("the counter is away");
      },
    ],
  ])("lets no one in when it %s", async (_, allowAttempt) => {
    const { c, asked, knock } = withDoor(allowAttempt, { mayFail: true });
    const visit = await knock();
    expectRefused(visit);
    expect(new URL(visit.redirectsTo ?? ORIGIN).searchParams.get("error")).toBe("Callback");
    expect([asked, await c.session()]).toEqual([[], null]);
  });

  it("lets no one in when it never settles", async () => {
    const timers = useOwnTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { asked, knock } = withDoor(() => new Promise<never>(() => {}), { mayFail: true });
    const knocking = knock();
    await vi.waitUntil(() => timers.count() === 1, { timeout: 20_000 });
    await vi.advanceTimersByTimeAsync(APPLICATION_TIMEOUT_MS);
    expectRefused(await knocking);
    expect(asked).toEqual([]);
  });

  it("ASVS 6.3.1 is asked before a mail is sent; the answer is the same when it refuses", async () => {
    const attempts: Omit<AttemptParams, "request">[] = [];
    const allowAttempt = ({ request, ...attempt }: AttemptParams) => {
      attempts.push(attempt);
      return request.method === "POST" && attempt.identifier !== "bob@example.com";
    };
    const app = setUpDatabase({ config: { callbacks: { allowAttempt } } });
    const refused = await app.ask(" Bob@Example.com");
    expect([app.mails, app.memory.snapshot().verificationTokens]).toEqual([[], []]);
    const sent = await app.ask("ann@example.com");
    expect(app.mails).toHaveLength(1);
    expect([refused.status, refused.redirectsTo]).toEqual([sent.status, sent.redirectsTo]);
    expect(cookieNames(refused)).toEqual(cookieNames(sent));
    expect(attempts).toEqual([
      { provider: "email", type: "email", identifier: "bob@example.com" },
      { provider: "email", type: "email", identifier: "ann@example.com" },
    ]);
  });
});

describe("callbacks.allowAttempt with passkeys", () => {
  it("ASVS 6.3.1 is asked before a passkey is verified; refused, its challenge is untouched", async () => {
    let isAllowed = true;
    const asked: string[] = [];
    const allowAttempt = async ({ provider, type, request }: AttemptParams) => {
      const { pathname, searchParams } = new URL(request.url);
      const action = request.method === "GET" ? searchParams.get("action") : (await request.json()).action;
      asked.push(`${provider} ${type} ${pathname.split("/")[3]} ${action}`);
      return isAllowed;
    };
    const app = setUpPasskeys({ config: { callbacks: { allowAttempt } } });
    expect(await (await app.register()).json()).toEqual({ url: `${ORIGIN}/dash` });
    app.browser.cookies.delete(COOKIE.session);
    const data = await app.authenticator.get(await app.options("action=authenticate"));
    isAllowed = false;
    const before = app.memory.calls.length;
    expect(await (await app.answer("authenticate", data)).json()).toEqual({
      url: `${ORIGIN}${BASE}/error?error=AccessDenied`,
    });
    expect([app.memory.calls.length - before, await app.session()]).toEqual([0, null]);
    isAllowed = true;
    expect(await (await app.answer("authenticate", data)).json()).toEqual({ url: `${ORIGIN}/dash` });
    expect(asked).toEqual([
      "passkey webauthn webauthn-options register",
      "passkey webauthn callback register",
      "passkey webauthn webauthn-options authenticate",
      ...Array(2).fill("passkey webauthn callback authenticate"),
    ]);
  });

  it("ASVS 6.3.1 is asked before options are made; refused, the answer is 429 and nothing is looked up", async () => {
    const app = setUpPasskeys({ config: { callbacks: { allowAttempt: () => false } } });
    const answer = await app.ask("action=authenticate&email=ann@example.com");
    expect([answer.status, answer.headers.getSetCookie(), app.memory.calls]).toEqual([429, [], []]);
    expect(app.logs.map(({ text }) => text).join()).toContain("webauthn-attempt-refused");
  });
});

/** What a careless callback may return. */
function parseVerdict(value: unknown): boolean {
  return value as boolean;
}
