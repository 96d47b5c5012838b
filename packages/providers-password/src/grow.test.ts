/** A password that was short beside a second factor grows before there is a session without one (NIST SP 800-63B-4 §3.1.1.2). */
import { defineExtension, handleOf } from "@cardea/extend";
import { describe, expect, it } from "vitest";
import { EMAIL, ORIGIN, OTHER, PASSWORD, startApp } from "../test/test-app.ts";

const SHORT = "kiwi lamp";

/** While `always` is on, eight characters are enough. */
function start() {
  const state = { always: true, asked: false };
  const gate = defineExtension({
    id: "gate",
    admit: ({ facts }) =>
      state.asked && !facts.f.some(([method]) => method === "otp") ? { ask: "gate" } : { admit: true },
    actions: {
      "GET gate": {
        csrf: "none",
        segment: "none",
        answers: "page",
        head: "skip",
        run: async (action, t) => {
          const pending = await action.pendingSignIn();
          return { kind: "redirect", url: (await pending?.complete({ f: [["otp", t.now()]] })) ?? "/gone" };
        },
      },
    },
  });
  const app = startApp({ options: { alwaysSecondFactor: () => state.always }, config: { extensions: [gate] } });
  return { ...app, state };
}

const GROW = /\/auth\/password\?pending=[\w-]{8}$/;

describe.each(["register", "change", "reset"] as const)("a short password from %s", (how) => {
  /** Ann has a short password. */
  async function prepare() {
    const app = start();
    const browser = app.open();
    await app.register(browser, EMAIL, how === "register" ? SHORT : PASSWORD);
    if (how === "change") await app.change(browser, { current: PASSWORD, password: SHORT });
    if (how === "reset") {
      await app.askReset(browser);
      await app.useLink(browser);
      await app.choose(browser, SHORT);
    }
    expect(app.memory.snapshot().credentials).toMatchObject([{ state: { short: true } }]);
    return app;
  }

  it("is enough while the factor is always required, and is asked to grow when that ends", async () => {
    const app = await prepare();
    expect((await app.signIn(app.open(), EMAIL, SHORT)).redirectsTo).toBe(`${ORIGIN}/inside`);
    app.state.always = false;
    const browser = app.open();
    const { redirectsTo } = await app.signIn(browser, EMAIL, SHORT);
    expect(redirectsTo).toMatch(GROW);
    expect(await app.userOf(browser)).toBeNull();
    const page = await browser.navigate(redirectsTo ?? "");
    const text = await page.text();
    expect(text).toContain("Choose a longer password");
    expect(text).toContain("At least 15 characters");
    const grow = (password: string) => browser.submit(text, { action: "/auth/password/grow", fields: { password } });
    expect((await grow("nine chars")).redirectsTo).toContain("error=too-short");
    expect(await app.userOf(browser)).toBeNull();
    expect((await grow(OTHER)).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect(await app.userOf(browser)).toBe(EMAIL);
    expect(app.mails.at(-1)?.kind).toBe("changed");
    expect((await app.signIn(app.open(), EMAIL, SHORT)).redirectsTo).toContain("CredentialsSignin");
    expect((await app.signIn(app.open(), EMAIL, OTHER)).redirectsTo).toBe(`${ORIGIN}/inside`);
    expect((await grow("another long password")).redirectsTo, "once").toContain("/auth/signin");
  });
});

describe("a short password", () => {
  it("grows after every other proof: who knows it alone changes nothing", async () => {
    const app = start();
    await app.register(app.open(), EMAIL, SHORT);
    Object.assign(app.state, { always: false, asked: true });
    const browser = app.open();
    const asked = await app.signIn(browser, EMAIL, SHORT);
    expect(asked.redirectsTo).toContain("/auth/gate?pending=");
    const pending = new URL(asked.redirectsTo ?? "").searchParams.get("pending");
    const page = await (await browser.navigate("/auth/register/password")).text();
    const forged = page.replaceAll("/register/password", "/password/grow");
    const fields = { password: OTHER, pending: pending ?? "" };
    const answer = await browser.submit(forged, { action: "/auth/password/grow", fields });
    expect(answer.redirectsTo).toContain("/auth/signin");
    expect((await browser.navigate(asked.redirectsTo ?? "")).redirectsTo).toMatch(GROW);
  });

  it("does not grow if the pending sign-in ends while the longer one is stored", async () => {
    const app = start();
    await app.register(app.open(), EMAIL, SHORT);
    app.state.always = false;
    const thief = app.open();
    const page = await thief.navigate((await app.signIn(thief, EMAIL, SHORT)).redirectsTo ?? "");
    const { adapter, snapshot } = app.memory;
    const { updateCredential } = adapter;
    const t = await handleOf(app.auth, "gate").tools();
    adapter.updateCredential = async (change) => {
      const stored = await updateCredential?.(change);
      await t.endSessions("user-1", { by: "owner", reason: "test" });
      adapter.updateCredential = updateCredential;
      return stored ?? null;
    };
    const [{ secret } = { secret: "" }] = snapshot().credentials;
    const answer = await thief.submit(page, { action: "/auth/password/grow", fields: { password: OTHER } });
    expect(answer.redirectsTo).toContain("/auth/signin");
    expect(app.memory.snapshot().credentials).toMatchObject([{ secret, state: { short: true } }]);
  });

  it("of another library is not asked to grow", async () => {
    const app = start();
    await app.register(app.open(), EMAIL, SHORT);
    const { credentials } = app.memory.snapshot();
    const { id, version } = credentials[0] ?? { id: "", version: 0 };
    await app.memory.adapter.updateCredential?.({ id, version, state: {} });
    app.state.always = false;
    expect((await app.signIn(app.open(), EMAIL, SHORT)).redirectsTo).toBe(`${ORIGIN}/inside`);
  });

  it("is asked to grow by a program as well", async () => {
    const app = start();
    await app.register(app.open(), EMAIL, SHORT);
    app.state.always = false;
    const browser = app.open();
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken, email: EMAIL, password: SHORT });
    const headers = { "x-auth-return-redirect": "1" };
    const answer = await browser.fetch("/auth/callback/password", { method: "POST", body, headers });
    expect(await answer.json()).toMatchObject({ code: "password", url: expect.stringMatching(GROW) });
  });
});
