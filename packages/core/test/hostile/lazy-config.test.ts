import { createAuth } from "@cardea/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useOwnTimers } from "../../../testing/src/own-timers.ts";
import { ORIGIN, takePrinted } from "../harness/harness.ts";

const request = () => new Request(`${ORIGIN}/auth/session`);

/** What a configuration function may come to: name, function, whether it needs time to pass. */
const FAULTS: readonly [string, () => never | Promise<never>][] = [
  [
    "throws",
    () => {
      throw new Error("canary of the function");
    },
  ],
  ["rejects", () => Promise.reject(new Error("canary of the function"))],
  ["rejects with a string", () => Promise.reject("canary of the function")],
  ["rejects with nothing", () => Promise.reject(undefined)],
  ["never settles", () => new Promise<never>(() => {})],
];

describe("a configuration that is made for each request", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(FAULTS)(
    "R56 answers 500 without a word of it when the function %s, within ten seconds",
    async (_, source) => {
      const timers = useOwnTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const { handlers } = createAuth(source);
      for (const handler of [handlers.GET, handlers.POST]) {
        const answering = handler(request());
        await vi.advanceTimersByTimeAsync(10_000);
        const answer = await answering;
        expect([answer.status, answer.headers.getSetCookie()]).toEqual([500, []]);
        expect(await answer.text()).not.toContain("canary");
      }
      expect(takePrinted()).toHaveLength(2);
      await timers.allEnd();
    },
  );

  it.each(FAULTS)(
    "R56 lets no one in when the function %s: auth() rejects, the handler is not run",
    async (_, source) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const { auth } = createAuth(source);
      let isRun = false;
      const guarded = auth(() => {
        isRun = true;
        return new Response("secret");
      });
      const outcomes = Promise.allSettled([auth(request()), guarded(request())]);
      await vi.advanceTimersByTimeAsync(10_000);
      expect((await outcomes).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
      expect(isRun).toBe(false);
    },
  );

  it("R56 answers as soon as the function works again", async () => {
    let isBroken = true;
    const { handlers } = createAuth(() => {
      if (isBroken) throw new Error("not yet");
      return { secret: "a secret of more than thirty-two bytes", trustHost: true, providers: [] };
    });
    expect((await handlers.GET(request())).status).toBe(500);
    takePrinted();
    isBroken = false;
    expect((await handlers.GET(request())).status).toBe(200);
  });

  it.each([[undefined], [null], ["config"], [7], [[]], [{}], [{ providers: "none" }]])(
    "R56 answers 500 when the function returns %o",
    async (value) => {
      const { handlers } = createAuth(() => parseConfig(value));
      expect((await handlers.GET(request())).status).toBe(500);
      expect(takePrinted()).toHaveLength(1);
    },
  );
});

/** What a careless function may return. */
function parseConfig(value: unknown): { providers: [] } {
  return value as { providers: [] };
}
