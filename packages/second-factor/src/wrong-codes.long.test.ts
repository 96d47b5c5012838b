// Wrong codes of a second factor are counted until a right one.
import { attempts } from "@cardea/attempts";
import { defineExtension, type Extension } from "@cardea/extend";
import { type Browser, createBrowser } from "@cardea/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EMAIL, ORIGIN, PASSWORD, startApp } from "../../providers-password/test/test-app.ts";
import { codeOf } from "../test/open-application.ts";
import { secondFactor } from "./index.ts";

const MINUTE = 60_000;

afterEach(() => {
  vi.useRealTimers();
});

/** A user with a password and an authenticator app, signed in. */
async function start(strategy: "jwt" | "database", others: readonly Extension[]) {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 });
  const extensions = [...others, secondFactor()];
  const app = startApp({ strategy, config: { extensions } });
  const open = () => createBrowser(app.auth.handlers.GET, { origin: ORIGIN, now: () => Date.now() });
  const wait = (ms: number) => vi.setSystemTime(Date.now() + ms);
  const send = async (browser: Browser, path: string, fields: Record<string, string>) => {
    const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken, ...fields });
    return browser.fetch(path, { method: "POST", body, headers: { "x-auth-return-redirect": "1" } });
  };
  const browser = open();
  await app.register(browser);
  const asked = await browser.fetch("/auth/factor", { headers: { accept: "application/json" } });
  const { enrol }: { enrol: { secret: string; setup: string } } = await asked.json();
  const code = () => codeOf(enrol.secret, Date.now() / 1000);
  const fields = { step: "confirm", setup: enrol.setup, code: code() };
  expect((await send(browser, "/auth/factor/totp", fields)).status).toBe(200);
  const guess = async (at: Browser) => (await send(at, "/auth/factor/totp", { code: "x" })).status;
  return { ...app, browser, open, wait, send, code, guess };
}

/** Asks for one more proof after a code, which its page takes at once. */
const createGate = () =>
  defineExtension({
    id: "gate",
    admit({ facts }) {
      const has = (name: string) => facts.f.some(([method]) => method === name);
      return has("otp") && !has("gate") ? { ask: "gate" } : { admit: true };
    },
    actions: {
      "GET gate": {
        ...{ csrf: "none", segment: "none", answers: "page", head: "skip" },
        async run(action, t) {
          const url = await (await action.pendingSignIn())?.complete({ f: [["gate", t.now()]] });
          return url === undefined ? { kind: "empty", status: 403 } : { kind: "redirect", url };
        },
      },
    },
  });

describe.each(["jwt", "database"] as const)("wrong codes (%s)", (strategy) => {
  it("are counted until a right one: the password, a sign-in and waiting end no count", async () => {
    const { browser, wait, send, guess } = await start(strategy, [attempts()]);
    let lookedAt = 0;
    for (let round = 0; round < 30; round++) {
      wait(11 * MINUTE);
      for (let n = 0; n < 4; n++) lookedAt += (await guess(browser)) === 401 ? 1 : 0;
      const confirmed = await send(browser, "/auth/password/confirm", { password: PASSWORD });
      expect(confirmed.status).toBe(200);
    }
    expect(lookedAt).toBe(100);
  });

  it.each([
    ["its own limit", [] as Extension[]],
    ["@cardea/attempts", [attempts()]],
  ])("of a sign-in that waits are counted for its user, however often it is restarted (%s)", async (_name, others) => {
    const { open, wait, signIn, guess } = await start(strategy, others);
    wait(11 * MINUTE);
    let lookedAt = 0;
    for (let n = 0; n < 9; n++) {
      const stranger = open();
      expect((await signIn(stranger, EMAIL, PASSWORD)).redirectsTo).toContain("/auth/factor?pending=");
      lookedAt += (await guess(stranger)) === 401 ? 1 : 0;
    }
    expect(lookedAt).toBeLessThanOrEqual(5);
  });

  it("end with a right one, also if another extension then asks for more", async () => {
    const growing = attempts({ delay: "growing", limits: { signin: "", factor: "" } });
    const { open, wait, signIn, send, code } = await start(strategy, [growing, createGate()]);
    for (let n = 0; n < 12; n++) {
      // A new code. After nine failures in a row, the delay is longer.
      wait(31_000);
      const device = open();
      await signIn(device, EMAIL, PASSWORD);
      const { url } = await (await send(device, "/auth/factor/totp", { code: code() })).json();
      expect([n, url]).toEqual([n, expect.stringContaining("/auth/gate?pending=")]);
      expect((await device.navigate(url)).redirectsTo).toBe(`${ORIGIN}/inside`);
    }
  });
});
