// A server whose clock is far ahead, beside others, with one database and one store.
import { defineExtension, type Extension } from "@cardea/extend";
import { secondFactor } from "@cardea/second-factor";
import { sessions } from "@cardea/sessions";
import { stepUp } from "@cardea/step-up";
import { type Browser, createBrowser, totpCode } from "@cardea/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EMAIL, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";

const MINUTE = 60_000;
const THIRD = "seven lamps over water";
const CHOOSE = `${ORIGIN}/auth/reset/password?step=choose`;

afterEach(() => {
  vi.useRealTimers();
});

/** Sessions in the database: a token from the future is no session in a cookie. */
function start(extensions: readonly Extension[] = []) {
  vi.useFakeTimers({ toFake: ["Date"] });
  const app = startApp({ strategy: "database", config: { extensions } });
  const clock = { time: 1_800_000_000_000, ahead: 0 };
  const answer = (request: Request) => {
    clock.time += 1000;
    vi.setSystemTime(clock.time + clock.ahead);
    return app.auth.handlers.GET(request);
  };
  const open = () => createBrowser(answer, { origin: ORIGIN, now: () => clock.time });
  /** Sends requests to the server whose clock is ahead. */
  const elsewhere = async <T>(minutes: number, work: () => Promise<T>): Promise<T> => {
    clock.ahead = minutes * MINUTE;
    try {
      return await work();
    } finally {
      clock.ahead = 0;
    }
  };
  const send = async (browser: Browser, path: string, fields: Record<string, string>) => {
    const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken, ...fields });
    return browser.fetch(path, { method: "POST", body, headers: { "x-auth-return-redirect": "1" } });
  };
  const wait = (minutes: number) => {
    clock.time += minutes * MINUTE;
  };
  return { ...app, open, elsewhere, send, wait };
}

describe.each([5, 60, 600])("a server whose clock is %i minutes ahead", (minutes) => {
  it("sets a password with which users sign in elsewhere at once, and reset it", async () => {
    const { open, elsewhere, register, change, signIn, askReset, useLink, choose } = start();
    const first = open();
    await elsewhere(minutes, async () => {
      await register(first);
      await change(first, { current: PASSWORD, password: OTHER });
    });
    const browser = open();
    expect((await signIn(browser, EMAIL, OTHER)).redirectsTo).toBe(`${ORIGIN}/inside`);
    await askReset(browser);
    expect((await useLink(browser)).redirectsTo).toBe(CHOOSE);
    expect((await choose(browser, THIRD)).redirectsTo).not.toContain("error");
    expect((await signIn(open(), EMAIL, THIRD)).redirectsTo).toBe(`${ORIGIN}/inside`);
  });

  it("sends links that are void once the password was set elsewhere", async () => {
    const { open, elsewhere, register, askReset, useLink, choose, mails } = start();
    await register(open());
    const mallory = open();
    await elsewhere(minutes, () => askReset(mallory));
    const older = mails.at(-1);
    const owner = open();
    await askReset(owner);
    await useLink(owner);
    await choose(owner, OTHER);
    expect((await useLink(mallory, {}, older)).redirectsTo).toContain("error=invalid-link");
    const late = await elsewhere(minutes, () => useLink(mallory.tab(), {}, older));
    expect(late.redirectsTo).toContain("error=invalid-link");
  });

  it("issues sessions that carry no permission from before they were issued", async () => {
    const asked = { on: false };
    const gate = defineExtension({
      id: "gate",
      admit: () => (asked.on ? { ask: "gate" } : { admit: true }),
      actions: {
        "GET gate": {
          ...{ csrf: "none", segment: "none", answers: "page", head: "skip" },
          run: () => ({ kind: "empty", status: 204 }),
        },
      },
    });
    const { open, elsewhere, register, signIn, askReset, useLink, userOf, wait } = start([gate]);
    await register(open());
    const browser = open();
    await elsewhere(minutes, () => signIn(browser, EMAIL, PASSWORD));
    asked.on = true;
    await askReset(browser);
    expect((await useLink(browser)).redirectsTo).toContain("/auth/gate");
    for (const later of [0, 6]) {
      wait(later);
      expect(await userOf(browser)).toBe(EMAIL);
      expect(await (await browser.navigate(CHOOSE)).text()).not.toContain("new-password");
    }
  });

  it("gives proofs that are not recent elsewhere, and do not hide those that are", async () => {
    const level = stepUp({ settings: { within: "15m" }, money: { within: "5m", factors: ["password"] } });
    const { open, elsewhere, register, signIn, send } = start([secondFactor(), level, sessions()]);
    await register(open());
    const browser = open();
    const met = async (): Promise<unknown> => {
      const url = "/auth/step-up?level=money&callbackUrl=/inside";
      return (await browser.fetch(url, { headers: { accept: "application/json" } })).json();
    };
    await elsewhere(minutes, () => signIn(browser, EMAIL, PASSWORD));
    expect(await met()).not.toHaveProperty("url");
    const factors = await browser.fetch("/auth/factors", { headers: { accept: "application/json" } });
    const enrolment = await browser.fetch("/auth/factor", { headers: { accept: "application/json" } });
    expect([factors.status, enrolment.status]).toEqual([401, 401]);
    await send(browser, "/auth/password/confirm", { password: PASSWORD, callbackUrl: "/inside" });
    expect(await met()).toHaveProperty("url");
  });

  it("counts wrong codes elsewhere for five minutes, and not for longer", async () => {
    const { open, elsewhere, register, send, wait } = start([secondFactor()]);
    const browser = open();
    await register(browser);
    const asked = await browser.fetch("/auth/factor", { headers: { accept: "application/json" } });
    const { enrol }: { enrol: { secret: string; setup: string } } = await asked.json();
    const code = await totpCode(enrol.secret);
    await send(browser, "/auth/factor/totp", { step: "confirm", setup: enrol.setup, code });
    const guess = async () => (await send(browser, "/auth/factor/totp", { code: "x" })).status;
    const guesses = await elsewhere(minutes, async () => {
      const statuses: number[] = [];
      for (let n = 0; n < 6; n++) statuses.push(await guess());
      return statuses;
    });
    expect(guesses).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await guess()).toBe(429);
    wait(6);
    expect(await guess()).toBe(401);
  });

  it("issues sessions that add no password elsewhere", async () => {
    const { open, elsewhere, register, signIn, memory, change } = start([sessions()]);
    await register(open());
    const browser = open();
    await elsewhere(minutes, () => signIn(browser, EMAIL, PASSWORD));
    for (const { id } of memory.snapshot().credentials) await memory.adapter.deleteCredential?.(id);
    await expect(change(browser, { password: OTHER }, "add")).rejects.toThrow();
    expect(memory.snapshot().credentials).toEqual([]);
  });
});
