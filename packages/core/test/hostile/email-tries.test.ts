/** Guessing the token of a link: tries are asked about, counted where tokens can be guessed, and bound to their provider. */

import type { EmailProvider } from "@cardea/core/providers";
import type { AttemptParams } from "@cardea/core/types";
import { createBrowser, createMemoryAdapter } from "@cardea/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { setUpDatabase } from "../harness/database-app.ts";
import { BASE, cookieHeader, installClock, ORIGIN } from "../harness/harness.ts";

type App = ReturnType<typeof setUpDatabase>;

/** An application whose links carry four digits, each mail other ones. */
function withDigits(options: Parameters<typeof setUpDatabase>[0] = {}): App {
  let next = 4710;
  return setUpDatabase({ ...options, email: { generateVerificationToken: () => String(++next), ...options.email } });
}

/** The link with another token. */
function guess(link: string | undefined, token: string): string {
  const url = new URL(link ?? "");
  url.searchParams.set("token", token);
  return url.href;
}

/** Presses the button of the page that a link shows in a browser that did not ask for it. */
async function confirm(app: App, link: string) {
  const browser = createBrowser(app.visit, { origin: ORIGIN });
  return (await browser.submit(await browser.navigate(link))).redirectsTo;
}

async function guessWrong(app: App, times: number, link = app.mails[0]): Promise<void> {
  for (let n = 0; n < times; n++) expect(await confirm(app, guess(link, String(n)))).toContain("error=Verification");
}

const rows = (app: App) => app.memory.snapshot().verificationTokens;

describe("a token that can be guessed", () => {
  it("warns at its first use, once, and not before", async () => {
    const app = withDigits();
    const warnings = () => app.logs.filter(({ text }) => text.includes("weak-email-token"));
    expect(warnings()).toEqual([]);
    await app.ask("ann@x.io");
    await app.ask("bob@x.io");
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]?.text).toContain("128 bits");
    expect(warnings()[0]?.text).not.toContain("4711");
  });

  it.each([
    [9, `${ORIGIN}/`],
    [10, `${ORIGIN}${BASE}/error?error=Verification`],
  ])("after %i wrong tries leads to %s", async (times, target) => {
    const app = withDigits();
    await app.ask("ann@x.io");
    await guessWrong(app, times);
    expect(await confirm(app, app.mails[0] ?? "")).toBe(target);
  });

  it("takes the links of its own address along, and no others", async () => {
    const app = withDigits();
    await app.ask("ann@x.io");
    await app.ask("ann@x.io");
    await app.ask("bob@x.io");
    await guessWrong(app, 10);
    for (const link of app.mails.slice(0, 2)) expect(await confirm(app, link)).toContain("error=Verification");
    expect(await confirm(app, app.mails[2] ?? "")).toBe(`${ORIGIN}/`);
  });

  it("no GET or HEAD signs in, or tells a right token from a wrong one, in any browser", async () => {
    const app = withDigits();
    await app.ask("ann@x.io");
    const right = app.mails[0] ?? "";
    const asking = app.browser;
    const other = createBrowser(app.visit, { origin: ORIGIN });
    const shown = async (browser: typeof asking, link: string) => {
      const page = await browser.navigate(link);
      const own = `value="${new URL(link).searchParams.get("token")}"`;
      const text = (await page.text()).replace(own, "");
      return [page.status, page.redirectsTo, text.replace(/value="[\w-]{20,}[^"]*"|nonce="\w+"/g, "")];
    };
    for (const browser of [asking, other]) {
      const page = await shown(browser, right);
      expect(page.slice(0, 2)).toEqual([200, undefined]);
      for (let n = 0; n < 15; n++) expect(await shown(browser, guess(right, String(n)))).toEqual(page);
    }
    await app.visit(new Request(right, { method: "HEAD", headers: { cookie: cookieHeader(asking) } }));
    // Nothing was judged, so nothing was counted; the button is, in either browser.
    for (let n = 0; n < 9; n++) {
      const browser = n % 2 === 0 ? asking : other;
      const visit = await browser.submit(await browser.navigate(guess(right, String(n))));
      expect(visit.redirectsTo).toContain("error=Verification");
    }
    const page = await asking.navigate(right);
    expect((await asking.submit(page)).redirectsTo).toBe(`${ORIGIN}/`);
  });

  it("is void for good: a new link works, and does not revive the old ones", async () => {
    const clock = installClock();
    const app = withDigits();
    await app.ask("ann@x.io");
    await guessWrong(app, 10);
    clock.advance({ seconds: 1 });
    await app.ask("ann@x.io");
    expect(await confirm(app, app.mails[0] ?? "")).toContain("error=Verification");
    expect(await confirm(app, app.mails[1] ?? "")).toBe(`${ORIGIN}/`);
  });

  it("counts tries over several mails: another mail gives no further ones", async () => {
    const app = withDigits();
    for (let n = 0; n < 4; n++) {
      await app.ask("ann@x.io");
      await guessWrong(app, 3, app.mails[n]);
      if (n === 2) expect(rows(app).filter(({ identifier }) => identifier.startsWith("email-tries"))).toHaveLength(1);
    }
    // The tenth wrong try was the first of the fourth mail's.
    for (const link of app.mails) expect(await confirm(app, link)).toContain("error=Verification");
  });

  it("keeps one count for all processes", async () => {
    const memory = createMemoryAdapter();
    const first = withDigits({ memory });
    const second = withDigits({ memory });
    await first.ask("ann@x.io");
    await guessWrong(first, 5);
    await guessWrong(second, 5, first.mails[0]);
    expect(await confirm(first, first.mails[0] ?? "")).toContain("error=Verification");
  });

  it("tries that arrive at the same time win nothing", async () => {
    const app = withDigits();
    await app.ask("ann@x.io");
    const all = Array.from({ length: 40 }, (_, n) => confirm(app, guess(app.mails[0], String(4700 + n))));
    const won = (await Promise.all(all)).filter((target) => target === `${ORIGIN}/`);
    expect(won.length).toBeLessThanOrEqual(1);
    await guessWrong(app, 10);
    expect(await confirm(app, app.mails[0] ?? "")).toContain("error=Verification");
  });

  it("leaves the tries of a later link alone when an earlier one was used", async () => {
    installClock();
    const app = withDigits();
    await app.ask("ann@x.io");
    await app.ask("ann@x.io");
    expect(await confirm(app, app.mails[0] ?? "")).toBe(`${ORIGIN}/`);
    expect(await confirm(app, app.mails[1] ?? "")).toBe(`${ORIGIN}/`);
  });
});

describe("a token that cannot be guessed", () => {
  it.each([
    ["the library's", {}],
    [
      "the application's",
      { generateVerificationToken: () => Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("hex") },
    ],
  ])("locks no one out, however many tries: %s", async (_, email: Partial<EmailProvider>) => {
    const app = setUpDatabase({ email });
    await app.ask("ann@x.io");
    for (let n = 0; n < 15; n++)
      await confirm(app, guess(app.mails[0], n % 2 ? "1234" : "f".repeat(9) + crypto.randomUUID() + n));
    expect(rows(app)).toHaveLength(1);
    expect(await confirm(app, app.mails[0] ?? "")).toBe(`${ORIGIN}/`);
    expect(app.logs.filter(({ text }) => text.includes("weak-email-token"))).toEqual([]);
  });
});

describe("callbacks.allowAttempt at redemption", () => {
  it("is asked before the token is looked up; refused, the link still works later", async () => {
    const asked: unknown[] = [];
    let isAllowed = true;
    const allowAttempt = async ({ provider, type, identifier, request }: AttemptParams) => {
      asked.push([provider, type, identifier, request.method, new URL(request.url).pathname]);
      return isAllowed;
    };
    const app = setUpDatabase({ config: { callbacks: { allowAttempt } } });
    await app.ask("ann@x.io");
    isAllowed = false;
    const before = app.memory.calls.length;
    expect((await app.open()).redirectsTo).toBe(`${ORIGIN}${BASE}/error?error=AccessDenied`);
    expect(await confirm(app, app.mails[0] ?? "")).toBe(`${ORIGIN}${BASE}/error?error=AccessDenied`);
    expect(app.memory.calls.slice(before)).toEqual([]);
    isAllowed = true;
    expect((await app.open()).redirectsTo).toBe(`${ORIGIN}/`);
    expect(asked).toEqual([
      ["email", "email", "ann@x.io", "POST", `${BASE}/signin/email`],
      ["email", "email", "ann@x.io", "GET", `${BASE}/callback/email`],
      ["email", "email", "ann@x.io", "POST", `${BASE}/callback/email`],
      ["email", "email", "ann@x.io", "GET", `${BASE}/callback/email`],
    ]);
  });
});

describe("a link", () => {
  it("works at the provider that sent it alone, whatever the tokens and the secrets of the providers are", async () => {
    const token = fc.constantFrom(undefined, "1234", "f3".repeat(16), "a token of the same text at both providers");
    const secret = fc.constantFrom(undefined, "one secret that both of the providers share");
    await fc.assert(
      fc.asyncProperty(token, secret, async (made, hashedWith) => {
        const mails: string[] = [];
        const other: EmailProvider = {
          id: "other",
          name: "Other",
          type: "email",
          sendVerificationRequest: ({ url }) => void mails.push(url),
        };
        const hooks = {
          ...(made === undefined ? {} : { generateVerificationToken: () => made }),
          ...(hashedWith === undefined ? {} : { secret: hashedWith }),
        };
        const app = setUpDatabase({ email: hooks, providers: [{ ...other, ...hooks }] });
        await app.ask("ann@x.io");
        const swapped = (app.mails[0] ?? "").replace("/callback/email", "/callback/other");
        expect(await confirm(app, swapped)).toContain("error=Verification");
        expect((await app.open(swapped)).redirectsTo ?? "").not.toBe(`${ORIGIN}/`);
        expect(await confirm(app, app.mails[0] ?? "")).toBe(`${ORIGIN}/`);
      }),
      { numRuns: 12 },
    );
  });
});
