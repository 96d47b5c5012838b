import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { defineExtension, type Extension, handleOf } from "@cardea/extend";
import { type Browser, createBrowser, createClock, createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { type AttemptsOptions, attempts, attemptsOf } from "./attempts.ts";

const ORIGIN = "https://app.example.com";
const quiet = { error: () => {}, warn: () => {}, debug: () => {} };

/** An application with passwords: that of everybody is "right". */
function createApplication(
  options: AttemptsOptions = {},
  callbacks: { allowAttempt?: () => boolean } = {},
  others: readonly Extension[] = [],
) {
  const store = memoryStore();
  let isAway = false;
  let checked = 0;
  const call = <A extends unknown[], R>(method: (...args: A) => Promise<R>) => {
    return (...args: A) => (isAway ? Promise.reject(new Error("away")) : method(...args));
  };
  const auth = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    logger: quiet,
    callbacks,
    session: { strategy: "jwt" },
    adapter: { ...createMemoryAdapter().adapter, getUser: async (id) => ({ id, email: id, emailVerified: null }) },
    extensions: [attempts(options), ...others],
    store: { get: call(store.get), set: call(store.set), add: call(store.add), swap: call(store.swap) },
    providers: [
      {
        id: "password",
        name: "Password",
        type: "credentials",
        credentials: { username: {}, password: {} },
        authorize: ({ username, password }) => {
          checked++;
          return password === "right" && typeof username === "string" ? { id: username, name: username } : null;
        },
      },
    ],
  });
  const { handlers } = auth;
  return {
    auth,
    newBrowser: () =>
      createBrowser((request) => (request.method === "GET" ? handlers.GET(request) : handlers.POST(request)), {
        origin: ORIGIN,
      }),
    setAway: (value: boolean) => (isAway = value),
    checked: () => checked,
  };
}

/** What comes of a try: `in`, or the code that the client is told. */
async function tryIn(browser: Browser, username: string, password: string, address = "192.0.2.1"): Promise<string> {
  const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
  const body = new URLSearchParams({ csrfToken, username, password });
  const headers = { "X-Auth-Return-Redirect": "1", "X-Forwarded-For": address };
  const answer = await browser.fetch("/auth/callback/password", { method: "POST", body, headers });
  const { url }: { url: string } = await answer.json();
  const { searchParams } = new URL(url, ORIGIN);
  return searchParams.get("error") === null ? "in" : (searchParams.get("code") ?? searchParams.get("error") ?? "");
}

/** Takes `right` as the factor of the user `ann`. */
const factor = defineExtension({
  id: "factor-test",
  actions: {
    "POST prove": {
      csrf: "required",
      segment: "none",
      answers: "json",
      head: "skip",
      run: async (action, { now }) => {
        const tried = { action: "factor", provider: "session", type: "credentials", userId: "ann" } as const;
        if (!(await action.attempt(tried)).allow) return { kind: "empty", status: 429 };
        const isRight = action.body.get("code") === "right";
        await (isRight ? action.renewSession({ f: [["otp", now()]] }) : action.failed());
        return { kind: "empty", status: isRight ? 204 : 401 };
      },
    },
  },
});

async function prove(browser: Browser, code: string): Promise<number> {
  const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
  const body = new URLSearchParams({ csrfToken, code });
  return (await browser.fetch("/auth/prove", { method: "POST", body })).status;
}

describe("attempts(), of a second factor", () => {
  it("gives a device on which the factor was proven a budget of its own", async () => {
    const app = createApplication({}, {}, [factor]);
    const [owner, stranger] = [app.newBrowser(), app.newBrowser()];
    await tryIn(owner, "ann@example.com", "right");
    expect(await prove(owner, "right")).toBe(204);
    for (let n = 0; n < 4; n++) expect(await prove(stranger, "wrong")).toBe(401);
    expect(await prove(stranger, "right")).toBe(429);
    expect(await prove(owner, "right")).toBe(204);
  });

  it("does not take an account that is called like the user's id for the user", async () => {
    const app = createApplication({}, {}, [factor]);
    const codes: number[] = [];
    for (let n = 0; n < 3; n++) {
      const mallory = app.newBrowser();
      await tryIn(mallory, "ann", "right");
      for (let tries = 0; tries < 3; tries++) codes.push(await prove(mallory, "wrong"));
    }
    expect(codes).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429]);
  });

  it("begins a row of a hundred again after a proof, and after unlock()", async () => {
    const app = createApplication({ limits: { factor: "1000/1m/user" } }, {}, [factor]);
    const [owner, stranger] = [app.newBrowser(), app.newBrowser()];
    await tryIn(owner, "ann@example.com", "right");
    for (let n = 0; n < 102; n++) expect(await prove(owner, "right")).toBe(204);
    for (let n = 0; n < 100; n++) await prove(stranger, "wrong");
    expect(await prove(stranger, "wrong")).toBe(429);
    await attemptsOf(app.auth).unlock("ann");
    expect(await prove(stranger, "wrong")).toBe(401);
  });
});

describe("attempts()", () => {
  it("checks no more passwords of an account than its limit, whatever it is spelt like", async () => {
    const app = createApplication();
    const browser = app.newBrowser();
    const spellings = ["Ann", "ann", " ANN ", "ａｎｎ"];
    const codes = [];
    for (let n = 0; n < 12; n++) codes.push(await tryIn(browser, spellings[n % 4] ?? "", "wrong"));
    expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => "credentials"));
    expect(codes.slice(10)).toEqual(["too_many_attempts", "too_many_attempts"]);
    expect([await tryIn(browser, "ann", "right"), app.checked()]).toEqual(["too_many_attempts", 10]);
    expect(await tryIn(browser, "bo", "right")).toBe("in");
  });

  it("lets the owner in at the first try on a known device, however much strangers try", async () => {
    const app = createApplication();
    const owner = app.newBrowser();
    expect(await tryIn(owner, "ann", "right")).toBe("in");
    const strangers = app.newBrowser();
    const before = app.checked();
    for (let n = 0; n < 200; n++) await tryIn(strangers, "ann", "wrong", `203.0.113.${n}`);
    expect(app.checked() - before).toBe(10);
    expect(await tryIn(app.newBrowser(), "ann", "right")).toBe("too_many_attempts");
    expect(await tryIn(owner, "ann", "right")).toBe("in");
  });

  it("makes a device known to the account alone that signed in on it", async () => {
    const app = createApplication();
    const [mallory, stranger] = [app.newBrowser(), app.newBrowser()];
    expect(await tryIn(mallory, "mallory", "right")).toBe("in");
    for (let n = 0; n < 10; n++) await tryIn(stranger, "ann", "wrong");
    expect(await tryIn(mallory, "ann", "right")).toBe("too_many_attempts");
  });

  it("forgets the devices of an account when it is told to", async () => {
    const app = createApplication();
    const [owner, stranger] = [app.newBrowser(), app.newBrowser()];
    await tryIn(owner, "ann", "right");
    await attemptsOf(app.auth).forgetDevices(" ANN");
    for (let n = 0; n < 10; n++) await tryIn(stranger, "ann", "wrong");
    expect(await tryIn(owner, "ann", "right")).toBe("too_many_attempts");
  });

  it.each([
    ["ann@example.com", "ann@example.com", "too_many_attempts"],
    ["ann", "ann", "too_many_attempts"],
    ["ann", "bob", "in"],
  ])("knows the device of %s until proofs of %s end", async (name, userId, outcome) => {
    const app = createApplication({}, {}, [defineExtension({ id: "reporter" })]);
    const [owner, stranger] = [app.newBrowser(), app.newBrowser()];
    await tryIn(owner, name, "right");
    for (let n = 0; n < 10; n++) await tryIn(stranger, name, "wrong");
    expect(await tryIn(owner, name, "right")).toBe("in");
    await (await handleOf(app.auth, "reporter").tools()).endSessions(userId, { by: "owner", reason: "test" });
    expect(await tryIn(owner, name, "right")).toBe(outcome);
  });

  it("lets no more than a hundred tries in a row through, but on a known device, until it is unlocked", async () => {
    const app = createApplication({ limits: { signin: "1000/1m/account" } });
    const [owner, stranger] = [app.newBrowser(), app.newBrowser()];
    await tryIn(owner, "ann", "right");
    const codes = [];
    for (let n = 0; n < 102; n++) codes.push(await tryIn(stranger, "ann", "wrong"));
    expect([codes[99], codes[100], codes[101]]).toEqual(["credentials", "too_many_attempts", "too_many_attempts"]);
    expect(await tryIn(stranger, "ann", "right")).toBe("too_many_attempts");
    expect(await tryIn(owner, "ann", "right")).toBe("in");
    expect(await tryIn(app.newBrowser(), "ann", "right")).toBe("too_many_attempts");
    await attemptsOf(app.auth).unlock(" ANN");
    expect(await tryIn(app.newBrowser(), "ann", "right")).toBe("in");
  });

  it("has each further try wait where the delay grows, and tells programs how long", async () => {
    const clock = createClock();
    const installed = clock.install();
    try {
      const app = createApplication({ delay: "growing" });
      const browser = app.newBrowser();
      const codes = [];
      for (let n = 0; n < 4; n++) codes.push(await tryIn(browser, "ann", "wrong"));
      expect(codes).toEqual(["credentials", "credentials", "credentials", "too_many_attempts"]);
      const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
      const body = new URLSearchParams({ csrfToken, username: "ann", password: "right" });
      const headers = { "X-Auth-Return-Redirect": "1" };
      const send = () => browser.fetch("/auth/callback/password", { method: "POST", body, headers });
      const answer = await send();
      expect([answer.status, Number(answer.headers.get("retry-after"))]).toEqual([429, 1]);
      clock.advance({ seconds: 1 });
      expect((await send()).status).toBe(200);
    } finally {
      installed.restore();
    }
  });

  it("limits a known device, too", async () => {
    const app = createApplication();
    const owner = app.newBrowser();
    await tryIn(owner, "ann", "right");
    const codes = [];
    for (let n = 0; n < 11; n++) codes.push(await tryIn(owner, "ann", "wrong"));
    expect([codes[9], codes[10]]).toEqual(["credentials", "too_many_attempts"]);
  });

  it("limits by address, over all accounts, where it is told how to find it", async () => {
    const app = createApplication({ client: { hops: 1 }, limits: { signin: "3/1m/address" } });
    const codes = [];
    for (let n = 0; n < 4; n++)
      codes.push(await tryIn(app.newBrowser(), `user${n}`, "wrong", `forged, 192.0.2.${n < 3 ? 1 : 2}`));
    expect(codes).toEqual(["credentials", "credentials", "credentials", "credentials"]);
    expect(await tryIn(app.newBrowser(), "user9", "right", "198.51.100.1, 192.0.2.1")).toBe("too_many_attempts");
  });

  it("gives back what a success counted under, and not what others used", async () => {
    const app = createApplication({ knownDevice: false });
    const browser = app.newBrowser();
    for (let n = 0; n < 9; n++) await tryIn(browser, "ann", "wrong");
    expect(await tryIn(browser, "ann", "right")).toBe("in");
    for (let n = 0; n < 9; n++) expect(await tryIn(browser, "ann", "wrong")).toBe("credentials");
  });

  it("goes on with a quarter while the store is away, and with nothing where that was chosen", async () => {
    const app = createApplication();
    app.setAway(true);
    const codes = [];
    for (let n = 0; n < 4; n++) codes.push(await tryIn(app.newBrowser(), "ann", "wrong"));
    expect(codes).toEqual(["credentials", "credentials", "too_many_attempts", "too_many_attempts"]);
    const strict = createApplication({ onStoreDown: "deny" });
    strict.setAway(true);
    expect([await tryIn(strict.newBrowser(), "ann", "right"), strict.checked()]).toEqual(["too_many_attempts", 0]);
  });

  it("signs in while the store is away", async () => {
    const app = createApplication();
    app.setAway(true);
    expect(await tryIn(app.newBrowser(), "ann", "right")).toBe("in");
  });

  it("redeems the link of a mail that was sent while it refuses to send more", async () => {
    const sent: string[] = [];
    const { handlers } = createAuth({
      secret: "a secret of more than thirty-two bytes for tests",
      trustHost: true,
      logger: quiet,
      adapter: createMemoryAdapter().adapter,
      extensions: [attempts({ limits: { email: "2/10m/account" } })],
      providers: [
        {
          id: "mail",
          name: "Mail",
          type: "email",
          rateLimit: () => true,
          sendVerificationRequest: ({ url }) => void sent.push(url),
        },
      ],
    });
    const handler = (request: Request) => (request.method === "GET" ? handlers.GET(request) : handlers.POST(request));
    const browser = createBrowser(handler, { origin: ORIGIN });
    for (let n = 0; n < 4; n++) {
      const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
      const body = new URLSearchParams({ csrfToken, email: "ann@example.com" });
      const answer = await browser.fetch("/auth/signin/mail", {
        method: "POST",
        body,
        headers: { "X-Auth-Return-Redirect": "1" },
      });
      expect((await answer.json()).url).toContain("verify-request");
    }
    expect(sent).toHaveLength(2);
    const signedIn = await browser.navigate(sent[1] ?? "", { follow: "same-origin" });
    expect([signedIn.status, (await (await browser.fetch("/auth/session")).json())?.user.email]).toEqual([
      404,
      "ann@example.com",
    ]);
  });

  it("asks callbacks.allowAttempt as well", async () => {
    const app = createApplication({}, { allowAttempt: () => false });
    expect([await tryIn(app.newBrowser(), "ann", "right"), app.checked()]).toEqual(["too_many_attempts", 0]);
  });

  it("refuses a limit that cannot be read at start", () => {
    expect(() => attempts({ limits: { signin: "ten" } })).toThrow("`limits.signin`");
  });
});
