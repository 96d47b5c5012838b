/** What other extensions ask for is asked for by every way through passwords (ASVS 6.4.3), and a full pool answers 503. */
import { defineExtension } from "@cardea/extend";
import { describe, expect, it } from "vitest";
import { EMAIL, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";
import type { Hasher } from "./hash/format.ts";

const CHOOSE = `${ORIGIN}/auth/reset/password?step=choose`;

/** Asks everyone for one more proof, which its page takes at once. */
function startAsking() {
  const asked = { on: false };
  const gate = defineExtension({
    id: "gate",
    admit: ({ facts }) =>
      asked.on && !facts.f.some(([method]) => method === "otp") ? { ask: "gate" } : { admit: true },
    actions: {
      "GET gate": {
        csrf: "none",
        segment: "none",
        answers: "page",
        head: "skip",
        run: async (action, t) => {
          const pending = await action.pendingSignIn();
          if (action.query.get("code") !== "right" || pending === null) return { kind: "empty", status: 403 };
          return { kind: "redirect", url: await pending.complete({ f: [["otp", t.now()]] }) };
        },
      },
    },
  });
  return { asked, ...startApp({ config: { extensions: [gate] } }) };
}

describe("a further proof", () => {
  it("is asked for before a reset: without it nothing is written, with it the password can be chosen", async () => {
    const { asked, open, register, askReset, useLink, choose, memory, userOf, signIn } = startAsking();
    const browser = open();
    await register(open());
    const before = memory.snapshot();
    asked.on = true;
    await askReset(browser);
    const { redirectsTo } = await useLink(browser);
    expect(redirectsTo).toMatch(/\/auth\/gate\?pending=/);
    expect(memory.snapshot()).toEqual(before);
    expect(await (await browser.navigate(CHOOSE)).text()).not.toContain("new-password");
    expect(await userOf(browser)).toBeNull();
    const passed = await browser.navigate(`${redirectsTo}&code=right`);
    expect(passed.redirectsTo).toBe(CHOOSE);
    expect((await choose(browser, OTHER)).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect((await signIn(open(), EMAIL, OTHER)).redirectsTo).toContain("/auth/gate?pending=");
  });

  it("does not complete a sign-in whose password was changed meanwhile", async () => {
    const { asked, open, register, signIn, userOf, change } = startAsking();
    await register(open());
    asked.on = true;
    const [late, other] = [open(), open()];
    const { redirectsTo } = await signIn(late, EMAIL, PASSWORD);
    const inTime = await signIn(other, EMAIL, PASSWORD);
    await other.navigate(`${inTime.redirectsTo}&code=right`);
    await change(other, { current: PASSWORD, password: OTHER });
    expect((await late.navigate(`${redirectsTo}&code=right`)).redirectsTo).toBeUndefined();
    expect([await userOf(late), await userOf(other)]).toEqual([null, EMAIL]);
  });

  it("is asked for after a sign-in and after a registration; the password of a new user is stored", async () => {
    const { asked, open, register, signIn, userOf, memory } = startAsking();
    asked.on = true;
    const browser = open();
    expect((await register(browser)).redirectsTo).toMatch(/\/auth\/gate\?pending=/);
    expect([await userOf(browser), memory.snapshot().credentials.length]).toEqual([null, 1]);
    const other = open();
    const { redirectsTo } = await signIn(other, EMAIL, PASSWORD);
    expect(await userOf(other)).toBeNull();
    expect((await other.navigate(`${redirectsTo}&code=right`)).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect(await userOf(other)).toBe(EMAIL);
  });
});

/** A hasher whose checks end when the test says so. */
function startSlow() {
  const held = { on: false };
  const release: (() => void)[] = [];
  const hold = () => (held.on ? new Promise<void>((resolve) => release.push(resolve)) : Promise.resolve());
  const hash: Hasher = {
    id: "slow",
    memory: 1,
    matches: (text) => text.startsWith("slow:"),
    isCurrent: () => true,
    sample: async () => "slow:sample",
    hash: async (password) => {
      await hold();
      return `slow:${password}`;
    },
    verify: async (password, text) => {
      await hold();
      return text === `slow:${password}`;
    },
  };
  const app = startApp({ options: { hash, parallel: 1, wait: 0.05 } });
  return { held, app, letGo: () => release.splice(0).forEach((end) => void end()) };
}

describe("a full pool", () => {
  it("answers a sign-in with 503 and when to come back, and no session waits for it", async () => {
    const { held, app, letGo } = startSlow();
    const member = app.open();
    await app.register(member);
    held.on = true;
    const first = app.signIn(app.open(), EMAIL, PASSWORD);
    const browser = app.open();
    const page = await browser.navigate("/auth/signin");
    const answer = await browser.submit(page, {
      action: "/auth/callback/password",
      fields: { email: EMAIL, password: PASSWORD },
      headers: { "x-auth-return-redirect": "1" },
    });
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect((await answer.json()).url).toContain("code=busy");
    expect(await app.userOf(member)).toBe(EMAIL);
    const registration = await app.beginRegister(app.open(), "eve@example.com", OTHER);
    expect(registration.redirectsTo).toContain("error=busy");
    held.on = false;
    letGo();
    expect((await first).redirectsTo).toBe(`${ORIGIN}/inside`);
  });
});
