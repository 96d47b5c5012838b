import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createBrowser } from "@cardea/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { share } from "../../packages/testing/src/long-form.ts";
import { type RunningDemo, startDemo } from "./start-demo.ts";

describe("npm run demo", () => {
  let demo: RunningDemo;
  beforeAll(async () => {
    demo = await startDemo();
  });
  afterAll(() => demo.end());

  it("prints its address, what to click first, and the warning that passkeys are an experiment", async () => {
    // The log is written when its code has been loaded.
    await expect.poll(() => demo.output()).toContain("[cardea]");
    const { url } = demo;
    const lines = demo.output().split("\n").filter(Boolean);
    const warnings = lines.filter((line) => line.startsWith("["));
    expect(warnings).toEqual([expect.stringMatching(/^\[cardea\]\[warn\] experimental-webauthn: /)]);
    expect(lines.filter((line) => !warnings.includes(line)).map((line) => line.trim())).toEqual([
      `The demo is at ${url} (Ctrl+C ends it)`,
      `Sign in:   ${url}/auth/signin?callbackUrl=/members`,
      '"Local Provider" asks for no password; or "grace" with "nanosecond", or any e-mail address',
      `E-mails:   ${url}/inbox`,
      "The code:  examples/express/src/auth.ts",
    ]);
  });

  it("serves a page that names what to sign in with", async () => {
    const home = await fetch(demo.url);
    expect(home.status).toBe(200);
    expect(await readCredentials(home)).toEqual({ username: "grace", password: "nanosecond" });
  });

  it("signs in with the credentials of its page", async () => {
    const browser = createBrowser(fetch, { origin: demo.url, follow: "same-origin" });
    const fields = await readCredentials(await browser.navigate("/"));
    const page = await browser.navigate("/auth/signin/credentials?callbackUrl=/members");
    const members = await browser.submit(page, { action: "/auth/callback/credentials", fields });
    expect(new URL(members.url).pathname).toBe("/members");
    expect(await members.text()).toContain("Hello, Grace Hopper");
  });

  it("signs in through its provider", async () => {
    const { url: provider } = await providerOf(demo);
    const browser = createBrowser(fetch, { origin: demo.url, routes: { [provider]: fetch }, follow: "all" });
    const page = await browser.navigate("/auth/signin?callbackUrl=/members");
    const chooser = await browser.submit(page, { action: "/auth/signin/local" });
    const members = await browser.submit(chooser, { button: "Continue", fields: { login: "ada-1815" } });
    expect(await members.text()).toContain("Hello, Ada Lovelace");
  });

  it("takes the next port when its own is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const address = other.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const second = await startDemo({ PORT: String(port) });
    try {
      expect(Number(new URL(second.url).port)).toBeGreaterThan(port);
      expect((await fetch(second.url)).status).toBe(200);
    } finally {
      other.close();
      await second.end();
    }
  });

  it("signs in by a link that is in its inbox", async () => {
    const browser = createBrowser(fetch, { origin: demo.url, follow: "same-origin" });
    const page = await browser.navigate("/auth/signin/nodemailer?callbackUrl=/members");
    const told = await browser.submit(page, {
      action: "/auth/signin/nodemailer",
      fields: { email: "bob@example.com" },
    });
    expect(await told.text()).toContain('href="/inbox"');
    const inbox = await (await browser.navigate("/inbox")).text();
    const [, link = ""] = /href="(http[^"]+callback[^"]+)"/.exec(inbox) ?? [];
    const members = await browser.navigate(link.replaceAll("&amp;", "&"));
    expect(await members.text()).toContain("bob@example.com");
  });

  const stored = [
    ["in the database", {}],
    ["in cookies where AUTH_SECRET is set", { SESSION_STRATEGY: "jwt", AUTH_SECRET: "x".repeat(44) }],
  ] as const;

  it.each(share(stored, 2, 0))("keeps sessions %s over a restart", async (_where, settings) => {
    const folder = await mkdtemp(join(tmpdir(), "cardea-e2e-"));
    const env = { ...settings, DATABASE_URL: `file:${join(folder, "kept.db")}` };
    const first = await startDemo(env);
    const browser = createBrowser(fetch, { origin: first.url, follow: "same-origin" });
    const fields = await readCredentials(await browser.navigate("/"));
    await browser.submit(await browser.navigate("/auth/signin/credentials?callbackUrl=/members"), {
      action: "/auth/callback/credentials",
      fields,
    });
    expect(await first.end()).toBe(0);
    const second = await startDemo({ ...env, PORT: new URL(first.url).port });
    try {
      expect((await browser.navigate(`${second.url}/members`, { follow: "none" })).status).toBe(200);
    } finally {
      await second.end();
      await rm(folder, { recursive: true });
    }
  });

  const unusable = [
    [{ DATABASE_URL: "postgres://127.0.0.1:1/none" }, "does not start"],
    [{ DATABASE_URL: "mysql://db" }, "postgres://… or file:…"],
    [{ PORT: "many" }, 'PORT is "many"'],
    [{ NODE_ENV: "production" }, "NODE_ENV=production"],
  ] as const;

  it.each(share(unusable, 4, 0))("says what to do when it cannot start: %o", async (env, said) => {
    await expect(startDemo(env)).rejects.toThrow(said);
  });
});

async function readCredentials(home: Response): Promise<Record<string, string>> {
  const codes = [...(await home.text()).matchAll(/<dd><code>([^<]+)<\/code>/g)].map(([, code]) => code ?? "");
  const [username = "", password = ""] = codes;
  return { username, password };
}

async function providerOf(demo: RunningDemo): Promise<{ url: string }> {
  const [, url = ""] = /<code>(http:\/\/127\.0\.0\.1:\d+)<\/code>/.exec(await (await fetch(demo.url)).text()) ?? [];
  return { url };
}
