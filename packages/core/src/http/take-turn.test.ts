import { Auth } from "@cardea/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTurns, requestInTurn, takeTurn } from "./take-turn.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

/** An event loop whose turns are ended by hand. */
function createLoop() {
  let later: (() => void)[] = [];
  return {
    defer: (run: () => void) => void later.push(run),
    /** Ends the turn, and whatever waits for that. */
    async turn() {
      const now = later;
      later = [];
      for (const run of now) run();
      await Promise.resolve();
    },
    isIdle: () => later.length === 0,
  };
}

describe("createTurns()", () => {
  it("lets the first one begin at once, and each other one in a turn, in their order", async () => {
    const { defer, turn, isIdle } = createLoop();
    const take = createTurns();
    const begun: string[] = [];
    expect(take(defer)).toBeUndefined();
    for (const name of ["a", "b", "c"]) take(defer)?.then(() => begun.push(name));
    await turn();
    expect(begun).toEqual(["a"]);
    await turn();
    expect(begun).toEqual(["a", "b"]);
    await turn();
    await turn();
    expect(begun).toEqual(["a", "b", "c"]);
    expect(isIdle()).toBe(true);
    expect(take(defer)).toBeUndefined();
  });

  it("holds a thousand, and lets others begin at once", () => {
    const { defer } = createLoop();
    const take = createTurns();
    take(defer);
    const waiting = Array.from({ length: 1000 }, () => take(defer));
    expect(waiting.every((one) => one instanceof Promise)).toBe(true);
    expect(take(defer)).toBeUndefined();
  });

  it("goes on where the timers were replaced meanwhile", async () => {
    const take = createTurns();
    const replaced = createLoop();
    take(replaced.defer);
    let hasBegun = false;
    take(replaced.defer)?.then(() => {
      hasBegun = true;
    });
    const real = createLoop();
    expect(take(real.defer)).toBeUndefined();
    await real.turn();
    expect(hasBegun).toBe(true);
  });
});

describe("takeTurn()", () => {
  it.each([
    ["no setImmediate", undefined],
    [
      "one that throws, as in the edge runtime of Next.js",
      () => {
        throw new Error("A Node.js API is used (setImmediate) which is not supported in the Edge Runtime.");
      },
    ],
  ])("with %s, every form begins at once", (_name, setImmediate) => {
    vi.stubGlobal("setImmediate", setImmediate);
    expect([takeTurn(), takeTurn(), takeTurn()]).toEqual([undefined, undefined, undefined]);
  });
});

describe("takeTurn() on Cloudflare Workers", () => {
  it("lets every form begin at once, because no request may wait for another", () => {
    vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" });
    vi.stubGlobal("setImmediate", () => undefined);
    expect([takeTurn(), takeTurn()]).toEqual([undefined, undefined]);
  });
});

describe("requestInTurn()", () => {
  const url = "https://app.example.com/auth/signout";
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

  it("makes requests without a body at once, and one with a body in each turn, in their order", async () => {
    const made: string[] = [];
    const make = (name: string, method: string) => () => {
      made.push(name);
      return new Request(url, { method });
    };
    for (const name of ["a", "b", "c"]) void requestInTurn("POST", make(name, "POST"));
    void requestInTurn("GET", make("read", "GET"));
    await Promise.resolve();
    expect(made.toSorted()).toEqual(["a", "read"]);
    const turns: string[][] = [];
    while (made.length < 4) {
      const before = made.length;
      await nextTurn();
      turns.push(made.slice(before));
    }
    expect(turns.filter(({ length }) => length > 0)).toEqual([["b"], ["c"]]);
  });

  it("makes one that waits for no second turn", async () => {
    await nextTurn();
    const request = await requestInTurn("POST", () => new Request(url, { method: "POST" }));
    expect(takeTurn(request)).toBeUndefined();
    // The turn is taken, for any other one.
    expect(takeTurn(new Request(url, { method: "POST" }))).toBeInstanceOf(Promise);
    await nextTurn();
    await nextTurn();
  });
});

describe("a burst of forms", () => {
  const ORIGIN = "https://app.example.com";
  const FORMS = 20;

  it("begins with one in each turn of the event loop, so that a read is between them", async () => {
    let begun = 0;
    const config = {
      secret: "a secret of more than thirty-two bytes for tests",
      trustHost: true,
      logger: { error: () => {}, warn: () => {}, debug: () => {} },
      providers: [
        {
          id: "credentials",
          name: "Password",
          type: "credentials" as const,
          credentials: {},
          authorize: () => {
            begun++;
            return null;
          },
        },
      ],
    };
    const first = await Auth(new Request(`${ORIGIN}/auth/csrf`), config);
    const cookie = first.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
    const csrfToken = String(Reflect.get(Object(await first.json()), "csrfToken"));
    const send = () => {
      const body = new URLSearchParams({ csrfToken });
      const headers = { cookie, origin: ORIGIN };
      return Auth(new Request(`${ORIGIN}/auth/callback/credentials`, { method: "POST", headers, body }), config);
    };
    const read = () => Auth(new Request(`${ORIGIN}/auth/session`), config);
    // What they need is loaded with the first of them.
    await send();
    await read();
    begun = 0;
    const answers = Promise.all(Array.from({ length: FORMS }, send));
    const seen: number[] = [];
    while (begun < FORMS) {
      await new Promise((resolve) => setImmediate(resolve));
      await read();
      seen.push(begun);
    }
    const steps = seen.map((count, n) => count - (seen[n - 1] ?? 0));
    expect(Math.max(...steps)).toBeLessThanOrEqual(2);
    expect((await answers).every(({ status }) => status === 302)).toBe(true);
  });
});
