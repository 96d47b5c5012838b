/** Sign-in by a link in an e-mail (safety H170 to H203, H336, H377, R36 to R41). */

import type { Callbacks } from "@cardea/core/types";
import { createBrowser, createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it, vi } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, COOKIE, installClock, ORIGIN, SECRET } from "../harness/harness.ts";

type App = ReturnType<typeof setUpDatabase>;

/** Another browser: a scanner, or the person's other device. */
const elsewhere = (app: App) => createBrowser(app.visit, { origin: ORIGIN });

const signedIn = (browser: { cookies: { get(name: string): unknown } }) =>
  browser.cookies.get(COOKIE.session) !== undefined;

describe("a link", () => {
  it("H170 is not used up by HEAD", async () => {
    const app = setUpDatabase();
    await app.ask("bob@example.com");
    const head = await app.send(app.mails[0] ?? "", { method: "HEAD" });
    expect(head.status).toBe(200);
    expect((await app.open()).redirectsTo).toBe(`${ORIGIN}/`);
  });

  it("H171 spec 1.1 email shows a scanner a page with a button, and signs the person in afterwards", async () => {
    const app = setUpDatabase();
    await app.ask("bob@example.com");
    const scanner = elsewhere(app);
    const seen = await scanner.navigate(app.mails[0] ?? "");
    expect(seen.status).toBe(200);
    expect(await seen.clone().text()).toContain("Sign in with this link?");
    expect(signedIn(scanner)).toBe(false);
    expect((await app.open()).redirectsTo).toBe(`${ORIGIN}/`);
    expect(signedIn(app.browser)).toBe(true);
  });

  it("H171 signs in on another device by the button", async () => {
    const app = setUpDatabase();
    await app.ask("bob@example.com");
    const phone = elsewhere(app);
    const page = await phone.navigate(app.mails[0] ?? "");
    expect((await phone.submit(page)).redirectsTo).toBe(`${ORIGIN}/`);
    expect(signedIn(phone)).toBe(true);
    expect((await app.open()).redirectsTo).toContain("error=Verification");
  });

  it("signs in the user of an address with a `+`, which a click tracker no longer escaped", async () => {
    const app = setUpDatabase();
    await app.ask("bob+news@example.com");
    const [mail = ""] = app.mails;
    const link = mail.replaceAll("%2B", "+");
    expect(link).not.toBe(mail);
    expect((await app.open(link)).redirectsTo).toBe(`${ORIGIN}/`);
    expect(await app.session()).toMatchObject({ user: { email: "bob+news@example.com" } });
  });

  it("asks again when the page with the button was open for too long", async () => {
    const app = setUpDatabase();
    await app.ask("bob@example.com");
    const phone = elsewhere(app);
    const page = await phone.navigate(app.mails[0] ?? "");
    phone.cookies.clear();
    const again = await phone.submit(page);
    expect(again.status).toBe(403);
    expect((await phone.submit(again)).redirectsTo).toBe(`${ORIGIN}/`);
  });

  it.each(["Sec-Purpose", "Purpose", "X-Moz"])(
    "H377 is not used up by a prefetch (%s), even in the browser that asked",
    async (header) => {
      const app = setUpDatabase();
      await app.ask("bob@example.com");
      const looked = await app.browser.navigate(app.mails[0] ?? "", { headers: { [header]: "prefetch" } });
      expect(looked.status).toBe(200);
      expect(signedIn(app.browser)).toBe(false);
      expect((await app.open()).redirectsTo).toBe(`${ORIGIN}/`);
    },
  );

  it("H172 signs in once, and leads all tabs on, however many open it at the same time", async () => {
    const app = setUpDatabase();
    await app.ask("bob@example.com");
    const tabs = Array.from({ length: 4 }, () => app.browser.tab().navigate(app.mails[0] ?? ""));
    const targets = (await Promise.all(tabs)).map(({ redirectsTo }) => redirectsTo ?? "");
    expect(targets).toEqual(Array.from({ length: 4 }, () => `${ORIGIN}/`));
    expect([app.memory.snapshot().sessions.length, app.events.filter(({ name }) => name === "signIn").length]).toEqual([
      1, 1,
    ]);
  });

  it("H172 spec 7 Verification signs in one of several browsers that open it at the same time", async () => {
    const app = setUpDatabase();
    await app.ask("bob@example.com");
    const phones = Array.from({ length: 4 }, () => elsewhere(app));
    const pages = await Promise.all(
      phones.map(async (phone) => [phone, await phone.navigate(app.mails[0] ?? "")] as const),
    );
    const visits = await Promise.all(pages.map(([phone, page]) => phone.submit(page)));
    const targets = visits.map(({ redirectsTo }) => redirectsTo ?? "");
    expect(targets.filter((target) => target === `${ORIGIN}/`)).toHaveLength(1);
    expect(targets.filter((target) => target.includes("error=Verification"))).toHaveLength(3);
    expect(phones.filter(signedIn)).toHaveLength(1);
  });

  it.each([
    [-1, true],
    [0, false],
    [1, false],
  ])("H174 works until its expiry: %i s after it", async (seconds, works) => {
    const clock = installClock();
    const app = setUpDatabase({ email: { maxAge: 600 } });
    await app.ask("bob@example.com");
    clock.advance({ seconds: 600 + seconds });
    const page = await elsewhere(app).navigate(app.mails[0] ?? "");
    expect(page.status).toBe(200);
    const phone = elsewhere(app);
    const answer = await phone.submit(await phone.navigate(app.mails[0] ?? ""));
    expect(signedIn(phone)).toBe(works);
    if (works) return;
    expect(answer.redirectsTo).toContain("error=Verification");
    expect(app.memory.snapshot().verificationTokens).toEqual([]);
  });

  it("H175 is void once a newer one was used", async () => {
    installClock();
    const app = setUpDatabase();
    await app.ask("bob@example.com");
    await app.ask("bob@example.com");
    expect((await app.open(app.mails[1])).redirectsTo).toBe(`${ORIGIN}/`);
    await app.signOut();
    expect((await app.open(app.mails[0])).redirectsTo).toContain("error=Verification");
  });

  it.each([
    ["sent", -2, 0],
    ["redeemed", 0, -2],
  ])(
    "lets a newer one work after one that a server %s whose clock is two hours ahead",
    async (_what, sent, redeemed) => {
      const clock = installClock();
      const app = setUpDatabase();
      await app.ask("bob@example.com");
      clock.advance({ hours: sent });
      const visit = await app.open();
      // Cookies from ahead do not count here: the link asks for a click, as in any other browser.
      const end =
        visit.redirectsTo ?? (await app.browser.submit(visit, { action: `${BASE}/callback/email` })).redirectsTo;
      expect(end).toBe(`${ORIGIN}/`);
      clock.advance({ hours: redeemed });
      const { memory } = app;
      const other = setUpDatabase({ memory: { ...memory, adapter: { ...memory.adapter } } });
      await other.ask("bob@example.com");
      expect((await other.open()).redirectsTo).toBe(`${ORIGIN}/`);
    },
  );

  it("lets a newer one work after an older one was used", async () => {
    installClock();
    const app = setUpDatabase();
    await app.ask("bob@example.com");
    await app.ask("bob@example.com");
    expect((await app.open(app.mails[0])).redirectsTo).toBe(`${ORIGIN}/`);
    expect((await app.open(app.mails[1])).redirectsTo).toBe(`${ORIGIN}/`);
  });

  it("H176 is stored as a hash only", async () => {
    const app = setUpDatabase();
    await app.ask("bob@example.com");
    const token = new URL(app.mails[0] ?? "").searchParams.get("token") ?? "";
    expect(token).toMatch(/^[\w-]{43}$/);
    const [row] = app.memory.snapshot().verificationTokens;
    expect(row?.token).toMatch(/^[0-9a-f]{64}$/);
    expect(row?.identifier).toBe("bob@example.com");
  });

  it("H177 opens no other address", async () => {
    const app = setUpDatabase();
    await app.ask("bob@example.com");
    const swapped = new URL(app.mails[0] ?? "");
    swapped.searchParams.set("email", "eve@example.com");
    expect((await app.open(swapped.href)).redirectsTo).toContain("error=Verification");
    expect((await app.open()).redirectsTo).toBe(`${ORIGIN}/`);
  });

  it("H180 leads nowhere else when its callbackUrl was changed", async () => {
    const app = setUpDatabase();
    await app.ask("bob@example.com");
    const changed = new URL(app.mails[0] ?? "");
    changed.searchParams.set("callbackUrl", "https://evil.example");
    expect((await app.open(changed.href)).redirectsTo).toBe(ORIGIN.concat("/"));
    expect(signedIn(app.browser)).toBe(true);
  });

  it("R39 works again after callbacks.signIn threw, which may be an outage, and not after it refused", async () => {
    const answers: (boolean | Error)[] = [];
    const signIn: Callbacks["signIn"] = ({ email }) => {
      const answer = email?.verificationRequest === true ? true : (answers.shift() ?? true);
      if (answer instanceof Error) throw answer;
      return answer;
    };
    const app = setUpDatabase({ mayFail: true, config: { callbacks: { signIn } } });
    await app.ask("bob@example.com");
    answers.push(new Error("down"), new Error("down"));
    for (const _ of [...answers]) expect((await app.open()).redirectsTo).toContain("error=AccessDenied");
    expect((await app.open()).redirectsTo).toBe(`${ORIGIN}/`);
    await app.signOut();
    await app.ask("bob@example.com");
    answers.push(false);
    expect((await app.open()).redirectsTo).toContain("error=AccessDenied");
    expect((await app.open()).redirectsTo).toContain("error=Verification");
  });

  it("H190 replaces the session of another user, and links nothing", async () => {
    const app = setUpDatabase();
    await app.signInWithOp();
    await app.ask("bob@example.com");
    await app.open();
    expect(await app.session()).toMatchObject({ user: { email: "bob@example.com" } });
    const { users, accounts, sessions } = app.memory.snapshot();
    expect([users.length, accounts.length, sessions.length]).toEqual([2, 1, 1]);
  });

  it("H336 works after the secret was rotated", async () => {
    const memory = createMemoryAdapter();
    const before = setUpDatabase({ memory });
    await before.ask("bob@example.com");
    const after = setUpDatabase({
      memory,
      config: { secret: ["a new secret of more than thirty-two bytes!!", SECRET] },
    });
    after.browser.cookies.restore(before.browser.cookies.snapshot());
    expect((await after.open(before.mails[0])).redirectsTo).toBe(`${ORIGIN}/`);
  });
});

describe("asking for a link", () => {
  it("spec 6, spec 6 callbacks.signIn email: asks before the mail and after the click, and says which", async () => {
    const asked: unknown[] = [];
    const app = setUpDatabase({
      config: {
        callbacks: {
          signIn: ({ email, account }) => {
            asked.push([email, account?.type]);
            return true;
          },
        },
      },
    });
    await app.ask("bob@example.com");
    await app.open();
    expect(asked).toEqual([
      [{ verificationRequest: true }, "email"],
      [undefined, "email"],
    ]);
  });

  it("sends nothing when callbacks.signIn refuses", async () => {
    const app = setUpDatabase({ config: { callbacks: { signIn: () => false } } });
    expect((await app.ask("bob@example.com")).redirectsTo).toContain("error=AccessDenied");
    expect(app.mails).toEqual([]);
  });

  it("R36 H183 spec 7 EmailSignin leaves no usable token when the mail cannot be sent", async () => {
    const app = setUpDatabase({ email: { sendVerificationRequest: () => Promise.reject(new Error("550")) } });
    expect((await app.ask("bob@example.com")).redirectsTo).toContain("error=EmailSignin");
    expect(app.memory.snapshot().verificationTokens).toEqual([]);
  });

  it("R36 sends the e-mail after an outage of the mail server or of the database, however often a user tried before", async () => {
    const isDown = { mail: true };
    const mails: string[] = [];
    const sendVerificationRequest = ({ url }: { readonly url: string }) => {
      if (isDown.mail) throw new Error("down");
      mails.push(url);
    };
    const app = setUpDatabase({ mayFail: true, email: { sendVerificationRequest } });
    const tries = Array.from({ length: 7 });
    for (const _ of tries) expect((await app.ask("bob@example.com")).redirectsTo).toContain("error=EmailSignin");
    isDown.mail = false;
    app.memory.fail({ method: "createVerificationToken", throws: new Error("down"), times: 7 });
    for (const _ of tries) expect((await app.ask("bob@example.com")).redirectsTo).toContain("error=Configuration");
    for (const _ of tries) expect((await app.ask("bob@example.com")).redirectsTo).toContain("verify-request");
    expect(mails, "as many as the limit allows").toHaveLength(5);
  });

  it("R36 counts e-mails that a slow mail server may still send", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked: string[] = [];
    const sendVerificationRequest = ({ identifier }: { readonly identifier: string }) => {
      asked.push(identifier);
      return new Promise<void>(() => undefined);
    };
    const app = setUpDatabase({ email: { sendVerificationRequest } });
    for (let count = 1; count <= 7; count++) {
      const asking = app.ask("bob@example.com");
      const isOver = { is: false };
      void asking.finally(() => {
        isOver.is = true;
      });
      while (!isOver.is) await vi.advanceTimersByTimeAsync(10_000);
      expect(asked).toHaveLength(Math.min(count, 5));
    }
    vi.useRealTimers();
  });

  it("R36 gives up on a mail server that never answers", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const app = setUpDatabase({ email: { sendVerificationRequest: () => new Promise(() => undefined) } });
    const asking = app.ask("bob@example.com");
    const isOver = { is: false };
    void asking.finally(() => {
      isOver.is = true;
    });
    while (!isOver.is) await vi.advanceTimersByTimeAsync(10_000);
    expect(app.memory.snapshot().verificationTokens).toEqual([]);
    expect(app.memory.calls.map(({ method }) => method)).toContain("useVerificationToken");
    expect((await asking).redirectsTo).toContain("error=EmailSignin");
    vi.useRealTimers();
  });

  it("H184 sends no mail when the token cannot be stored", async () => {
    const app = setUpDatabase({ mayFail: true });
    app.memory.fail({ method: "createVerificationToken", throws: new Error("down") });
    await app.ask("bob@example.com");
    expect(app.mails).toEqual([]);
  });

  it("H187 answers alike for known and unknown addresses", async () => {
    const app = setUpDatabase();
    await app.ask("known@example.com");
    await app.open();
    await app.signOut();
    const shape = async (address: string) => {
      const { status, headers, redirectsTo } = await app.ask(address);
      const cookies = headers
        .getSetCookie()
        .map((line) => line.replace(/=[^;]*/, "").replace(/state\.[\w-]+/, "state"));
      return { status, redirectsTo, cookies, names: [...headers.keys()] };
    };
    expect(await shape("known@example.com")).toEqual(await shape("unknown@example.com"));
  });

  it("sends five mails in ten minutes to one address, and answers alike beyond", async () => {
    const clock = installClock();
    const app = setUpDatabase();
    const answers: unknown[] = [];
    for (let n = 0; n < 7; n++) answers.push((await app.ask("bob@example.com")).redirectsTo);
    expect(new Set(answers).size).toBe(1);
    expect(app.mails).toHaveLength(5);
    clock.advance({ minutes: 10 });
    await app.ask("bob@example.com");
    expect(app.mails).toHaveLength(6);
    await app.ask("another-user@example.com");
    expect(app.mails).toHaveLength(7);
  });

  it("leaves the limit to the application's own function", async () => {
    const app = setUpDatabase({ email: { rateLimit: (identifier) => identifier !== "bob@example.com" } });
    await app.ask("bob@example.com");
    await app.ask("ann@example.com");
    expect(app.mails).toHaveLength(1);
  });

  it.each(["a@evil.com＠x.io", '"a@evil.com"@x.io', "a@x.io,b@evil.com", "<a@x.io>", "a;b@x.io", "", "x".repeat(5000)])(
    "H192 H193 H194 H200 sends nothing to %j",
    async (address) => {
      const app = setUpDatabase();
      expect((await app.ask(address)).redirectsTo).toContain("error=EmailSignin");
      expect(app.mails).toEqual([]);
      expect(app.memory.snapshot().verificationTokens).toEqual([]);
    },
  );

  it("goes to the application's own page afterwards", async () => {
    const app = setUpDatabase({ config: { pages: { verifyRequest: "/look-for-it" } } });
    expect((await app.ask("bob@example.com")).redirectsTo).toBe(`${ORIGIN}/look-for-it?provider=email&type=email`);
    expect((await app.browser.navigate(`${BASE}/verify-request`)).redirectsTo).toBe(`${ORIGIN}/look-for-it`);
  });

  it("spec 7 EmailCreateAccount spec 7 OAuthCreateAccount says EmailCreateAccount when the user cannot be made, and OAuthCreateAccount likewise", async () => {
    const app = setUpDatabase({ mayFail: true });
    await app.ask("bob@example.com");
    app.memory.fail({ method: "createUser", throws: new Error("down") });
    expect((await app.open()).redirectsTo).toContain("error=EmailCreateAccount");
    app.memory.fail({ method: "createUserWithAccount", throws: new Error("down") });
    expect((await app.signInWithOp()).url).toContain("error=OAuthCreateAccount");
  });
});
