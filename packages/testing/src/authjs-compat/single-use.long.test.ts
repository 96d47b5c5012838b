// Adapters written for Auth.js, as they come from npm: some read a verification token and then delete it. What works once does so there too.
import { createAuth } from "@cardea/core";
import type { Adapter } from "@cardea/core/adapters";
import { describe, expect, it } from "vitest";
import { createBrowser } from "../index.ts";
import { openD1Adapter } from "./adapters/d1.ts";
import { openDrizzleAdapter } from "./adapters/drizzle.ts";
import { openKyselyAdapter } from "./adapters/kysely.ts";
import { openPgAdapter } from "./adapters/pg.ts";
import { openUnstorageAdapter } from "./adapters/unstorage.ts";
import { openUpstashAdapter } from "./adapters/upstash.ts";

const ORIGIN = "https://app.example.com";
const EMAIL = "ann@example.com";
const AT_ONCE = 8;
const GUESSES = 40;

const adapters = {
  "@auth/d1-adapter": openD1Adapter,
  "@auth/drizzle-adapter": openDrizzleAdapter,
  "@auth/kysely-adapter": openKyselyAdapter,
  "@auth/pg-adapter": openPgAdapter,
  "@auth/unstorage-adapter": openUnstorageAdapter,
  "@auth/upstash-redis-adapter": openUpstashAdapter,
} as const;

function setUp(adapter: Adapter) {
  const mails: string[] = [];
  const sendVerificationRequest = ({ url }: { url: string }) => void mails.push(url);
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter,
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    providers: [
      { id: "email", name: "E", type: "email", sendVerificationRequest },
      { id: "weak", name: "W", type: "email", generateVerificationToken: () => "123456", sendVerificationRequest },
    ],
  });
  const open = () => createBrowser(handlers.GET, { origin: ORIGIN });
  const ask = async (provider: string) => {
    const browser = open();
    const page = await browser.navigate(`/auth/signin/${provider}`);
    await browser.submit(page, { action: `/auth/signin/${provider}`, fields: { email: EMAIL } });
    return { link: mails.at(-1) ?? "", cookies: browser.cookies.snapshot() };
  };
  return { open, ask };
}

describe.each(Object.entries(adapters))("single use with %s", (_name, openAdapter) => {
  it("issues one session for a link that one browser opens several times at the same moment, and none for another browser", async () => {
    const { adapter, close } = await openAdapter();
    const { open, ask } = setUp(adapter);
    const { link, cookies } = await ask("email");
    const browsers = Array.from({ length: AT_ONCE }, () => {
      const browser = open();
      browser.cookies.restore(cookies);
      return browser;
    });
    await Promise.all(browsers.map((browser) => browser.navigate(link, { follow: "none" })));
    const tokensOf = ({ cookies }: (typeof browsers)[number]) =>
      cookies.list().flatMap(({ name, value }) => (name.includes("session-token") ? [value] : []));
    expect(new Set(browsers.flatMap(tokensOf)).size).toBe(1);
    const other = open();
    const { redirectsTo } = await other.submit(await other.navigate(link), { follow: "none" });
    expect(redirectsTo).toContain("error=Verification");
    expect(tokensOf(other)).toEqual([]);
    await close();
  });

  it("compares one of the guesses that arrive at the same moment with a token that looks weak", async () => {
    const { adapter, close } = await openAdapter();
    const compared: string[] = [];
    const useVerificationToken: Adapter["useVerificationToken"] = async (key) => {
      if (key.identifier === EMAIL) compared.push(key.token);
      return adapter.useVerificationToken?.(key) ?? null;
    };
    const { open, ask } = setUp({ ...adapter, useVerificationToken });
    const { link } = await ask("weak");
    const guess = async (number: number) => {
      const url = new URL(link);
      url.searchParams.set("token", String(100_000 + number));
      const browser = open();
      return browser.submit(await browser.navigate(url.href), { follow: "none" });
    };
    await Promise.all(Array.from({ length: GUESSES }, (_, number) => guess(number)));
    // Several may follow each other within the burst; all of them count.
    expect(compared.length).toBeLessThanOrEqual(10);
    await close();
  });
});
