import { type AuthConfig, createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { createBrowser, createMemoryAdapter } from "@cardea/testing";
import { type SmtpSink, startSmtpSink } from "@cardea/testing/smtp-sink";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Nodemailer } from "./index.ts";

const ORIGIN = "https://app.example.com";
let sink: SmtpSink;

beforeEach(async () => {
  sink = await startSmtpSink();
});

afterEach(() => sink.close());

function setUp(provider: Partial<Parameters<typeof Nodemailer>[0]> = {}, config: Partial<AuthConfig> = {}) {
  const memory = createMemoryAdapter();
  const errors: Error[] = [];
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: memory.adapter,
    providers: [Nodemailer({ server: sink.url, from: "Example <no-reply@example.com>", ...provider })],
    logger: { error: (error) => void errors.push(error), warn: () => undefined, debug: () => undefined },
    ...config,
  });
  const browser = createBrowser(handlers.GET, { origin: ORIGIN });
  const ask = async (email: string) => {
    const page = await browser.navigate("/auth/signin?callbackUrl=/dash");
    return browser.submit(page, { action: "/auth/signin/nodemailer", fields: { email } });
  };
  return { memory, errors, browser, ask };
}

describe("Nodemailer()", () => {
  it("sends after it could not open the mail server at first", async () => {
    let isOpen = true;
    const { hostname, port } = new URL(sink.url);
    const server = {
      ...{ port: Number(port), secure: false },
      get host(): string {
        if (isOpen) return hostname;
        throw new Error("the settings are not there yet");
      },
    };
    const { ask } = setUp({ server });
    isOpen = false;
    expect((await ask("ann@example.com")).redirectsTo).toContain("error=EmailSignin");
    isOpen = true;
    expect((await ask("ann@example.com")).redirectsTo).toContain("verify-request");
    expect(await sink.nextMail("ann@example.com")).toMatchObject({ to: ["ann@example.com"] });
  });

  it("signs in by the link of a mail that a mail server took", async () => {
    const { ask, browser } = setUp();
    const asked = await ask("Ann@Example.com");
    expect(asked.redirectsTo).toBe(`${ORIGIN}/auth/verify-request?provider=nodemailer&type=email`);
    const mail = await sink.nextMail("ann@example.com");
    expect(mail).toMatchObject({ to: ["ann@example.com"], subject: "Sign in to app.example.com" });
    expect(mail.links).toHaveLength(1);
    const opened = await browser.navigate(mail.links[0] ?? "");
    expect(opened.redirectsTo).toBe(`${ORIGIN}/dash`);
    const session = await browser.fetch("/auth/session");
    expect(await session.json()).toMatchObject({ user: { email: "ann@example.com" } });
  });

  it("sends text and HTML that name the host and how long the link works", async () => {
    const { ask } = setUp({ maxAge: 600 });
    await ask("ann@example.com");
    const { text, html, links } = await sink.nextMail();
    expect(text).toContain("Sign in to app.example.com");
    expect(text).toContain("10 minutes");
    expect(html).toContain("prefers-color-scheme: dark");
    expect(html).toContain(`href="${links[0]?.replaceAll("&", "&amp;")}"`);
  });

  it("sends a code beside the link, which signs in where it was asked for", async () => {
    const { ask, browser } = setUp({ code: true }, { store: memoryStore({ instances: 1 }) });
    const asked = await ask("ann@example.com");
    const { text, html } = await sink.nextMail();
    const [shown = ""] = /\d{4} \d{4}/.exec(text) ?? [];
    expect([
      html.includes(shown),
      text.includes("Never share this code"),
      html.includes("Never share this code"),
    ]).toEqual([true, true, true]);
    expect(text).toContain("The link and the code work once, together, for 10 minutes.");
    const page = await browser.navigate(asked.redirectsTo ?? "");
    const signedIn = await browser.submit(page, { action: "/auth/callback/nodemailer", fields: { code: shown } });
    expect(signedIn.redirectsTo).toBe(`${ORIGIN}/dash`);
    expect(await (await browser.fetch("/auth/session")).json()).toMatchObject({ user: { email: "ann@example.com" } });
  });

  it.each(["refuse-recipient", "refuse-data", "drop"] as const)(
    "R36 tells the person that no mail went out (%s), and leaves no token",
    async (fault) => {
      const { ask, memory, errors } = setUp();
      sink.fault = fault;
      const asked = await ask("ann@example.com");
      expect(asked.redirectsTo).toContain("error=EmailSignin");
      expect(memory.snapshot().verificationTokens).toEqual([]);
      expect(errors.map(({ name }) => name)).toEqual(["EmailSignInError"]);
    },
  );

  it("tells the person when the mail server cannot be reached", async () => {
    const { ask, memory } = setUp({ server: { host: "127.0.0.1", port: 1 } });
    expect((await ask("ann@example.com")).redirectsTo).toContain("error=EmailSignin");
    expect(memory.snapshot().verificationTokens).toEqual([]);
  });

  it.each(['"a@evil.example"@x.io', "a@x.io,b@evil.example", "a@evil.example＠x.io", "a;b", "Ann <a@x.io>"])(
    "H192 H193 H194 sends nothing to %s",
    async (email) => {
      const { ask } = setUp();
      expect((await ask(email)).redirectsTo).toContain("error=EmailSignin");
      expect(sink.mails).toEqual([]);
    },
  );

  it.each([undefined, ""])("is refused at startup with server %j, by name", (server) => {
    expect(() => setUp({ server })).toThrow('`providers[0].server` of provider "nodemailer" is missing');
    expect(() => setUp({ server, sendVerificationRequest: () => {} })).not.toThrow();
  });

  it("sends by a transport of the application", async () => {
    /** Its methods are in its class, as in nodemailer's plugins. */
    class Outbox {
      readonly name = "outbox";
      readonly version = "1";
      readonly sent: unknown[] = [];
      send({ data }: { readonly data: { readonly to?: unknown } }, done: (error: null, result: object) => void) {
        this.sent.push(data.to);
        done(null, {});
      }
    }
    const server = new Outbox();
    const asked = await setUp({ server }).ask("ann@example.com");
    expect(asked.redirectsTo).toContain("verify-request");
    expect(server.sent).toEqual([{ name: "", address: "ann@example.com" }]);
  });

  it.each([{ jsonTransport: true }, { streamTransport: true, buffer: true }] as const)(
    "sends by another transport of nodemailer: %j",
    async (server) => {
      const asked = await setUp({ server }).ask("ann@example.com");
      expect(asked.redirectsTo).toContain("verify-request");
    },
  );

  it("hashes tokens with a secret of its own", async () => {
    const { memory, ask, browser } = setUp({ secret: "a secret for the tokens of e-mails, and for nothing else" });
    await ask("ann@example.com");
    const { links } = await sink.nextMail("ann@example.com");
    expect(memory.snapshot().verificationTokens).toHaveLength(1);
    expect((await browser.navigate(links[0] ?? "")).redirectsTo).toBe(`${ORIGIN}/dash`);
  });

  it("lets the application send its own mail", async () => {
    const sent: string[] = [];
    const { ask } = setUp({ sendVerificationRequest: ({ identifier }) => void sent.push(identifier) });
    await ask("ann@example.com");
    expect(sent).toEqual(["ann@example.com"]);
    expect(sink.mails).toEqual([]);
  });
});
