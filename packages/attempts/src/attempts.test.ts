import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { type Browser, createBrowser, createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { type AttemptsOptions, attempts, attemptsOf } from "./attempts.ts";

const ORIGIN = "https://app.example.com";
const quiet = { error: () => {}, warn: () => {}, debug: () => {} };

/** An application with passwords: that of everybody is "right". */
function createApplication(options: AttemptsOptions = {}, callbacks: { allowAttempt?: () => boolean } = {}) {
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
    extensions: [attempts(options)],
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
