import { memoryStore } from "@cardea/core/adapters";
import { describe, expect, it } from "vitest";
import { bodyOf, codeOf, enrol, STRATEGIES, startApplication } from "../test/open-application.ts";

const isLong = process.env.CARDEA_TEST_LONG === "1";
const always = { require: () => "always" as const };

/** The number of the call that fails, of all that are made since it was set; 0: none. */
interface Fault {
  at: number;
  seen: number;
  hit: boolean;
}

/** Fails one call. */
function failing<T extends object>(inner: T, fault: Fault): T {
  return new Proxy(inner, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== "function") return method;
      return (...args: unknown[]) => {
        fault.seen += fault.at > 0 ? 1 : 0;
        fault.hit ||= fault.at > 0 && fault.seen === fault.at;
        return fault.at > 0 && fault.seen === fault.at
          ? Promise.reject(new Error("away: password-of-the-store"))
          : Reflect.apply(method, target, args);
      };
    },
  });
}

/** Runs a proof with a fault at its first call, at its second, and so on, until it makes no more calls. */
async function atEachCall(
  strategy: "jwt" | "database",
  prove: (at: ReturnType<typeof startFaulty>) => Promise<unknown>,
): Promise<number> {
  for (let at = 1; ; at++) {
    const app = startFaulty(strategy, at);
    await prove(app);
    if (!app.fault.hit) return at - 1;
  }
}

function startFaulty(strategy: "jwt" | "database", at: number) {
  const fault: Fault = { at: 0, seen: 0, hit: false };
  const { memory } = startApplication();
  const store = failing(memoryStore({ instances: 1 }), fault);
  const app = startApplication(always, { strategy, store, adapter: failing(memory.adapter, fault) });
  /** Sends a form while the call fails; an outage is told as one, and lets no one in. */
  const during = async (who: ReturnType<typeof app.newBrowser>, path: string, fields: Record<string, string>) => {
    fault.at = at;
    const answer = await who.send(path, fields);
    fault.at = 0;
    const text = await answer.text();
    expect([text, JSON.stringify([...answer.headers])].join()).not.toContain("password-of-the-store");
    if (answer.status !== 200) expect([answer.status, who.hasSession()]).toEqual([503, false]);
    return { isDone: answer.status === 200, text };
  };
  return { ...app, fault, during };
}

describe.each(isLong ? STRATEGIES : (["jwt"] as const))("an outage at any call, %s sessions", (strategy) => {
  it("uses up no recovery code without a session", async () => {
    const calls = await atEachCall(strategy, async (app) => {
      const { codes } = await enrol(app, app.newBrowser());
      const ann = app.newBrowser();
      await ann.signIn();
      const fields = { code: codes[0] ?? "" };
      const { isDone } = await app.during(ann, "/auth/factor/recovery", fields);
      if (!isDone) expect((await ann.send("/auth/factor/recovery", fields)).status).toBe(200);
      expect(await ann.session()).toMatchObject({ user: { name: "Ann" } });
      const again = app.newBrowser();
      await again.signIn();
      expect((await again.send("/auth/factor/recovery", fields)).status).toBe(401);
    });
    expect(calls).toBeGreaterThan(8);
  });

  it("leaves a user whose app was added with that app, and any other with the setup", async () => {
    const calls = await atEachCall(strategy, async (app) => {
      const ann = app.newBrowser();
      await ann.signIn();
      const { secret = "", setup = "" } = (await ann.asked()).enrol ?? {};
      const form = () => ({ step: "confirm", setup, code: codeOf(secret, app.now()) });
      const { isDone, text } = await app.during(ann, "/auth/factor/totp", form());
      if (isDone) {
        expect(JSON.parse(text).recoveryCodes).toHaveLength(10);
        return;
      }
      app.clock.advance({ seconds: 60 });
      const confirmed = await ann.send("/auth/factor/totp", form());
      if (confirmed.status !== 200) {
        expect((await bodyOf(confirmed)).code).toBe("expired");
        expect((await ann.send("/auth/factor/totp", { code: codeOf(secret, app.now()) })).status).toBe(200);
      }
      expect(await ann.session()).toMatchObject({ user: { name: "Ann" } });
    });
    expect(calls).toBeGreaterThan(12);
  });
});
