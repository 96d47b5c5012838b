/** The guides about users and roles: the code that they show, run with both session strategies. */
import { readFileSync } from "node:fs";
import { Nodemailer } from "@cardea/providers-email";
import { createBrowser, createTestSession } from "@cardea/testing";
import { describe, expect, it, vi } from "vitest";
import * as database from "./database.ts";
import { postmark } from "./postmark.ts";
import { resend } from "./resend.ts";

vi.stubEnv("AUTH_URL", "http://localhost:3000");
vi.stubEnv("AUTH_SECRET", "a secret of more than thirty-two bytes for tests");
const inCookie = await import("./session-in-cookie.ts");
const byDatabase = await import("./session-in-database.ts");
const mobile = await import("./mobile.ts");
const { admin } = await import("./admin.ts");
const inDatabase = await import("./roles-in-database.ts");
const inToken = await import("./roles-in-token.ts");

/** A page shows the file, under its name. */
function isShown(page: string, file: string): boolean {
  const shown = readFileSync(`${import.meta.dirname}/../../docs/${page}.md`, "utf8");
  return shown.includes(`// ${file}\n${readFileSync(`${import.meta.dirname}/${file}`, "utf8")}`);
}

describe("the pages", () => {
  it.each([
    ["roles", "roles-in-database.ts"],
    ["roles", "roles-in-token.ts"],
    ["roles", "admin.ts"],
    ["user-id", "session-in-cookie.ts"],
    ["user-id", "session-in-database.ts"],
    ["mobile", "mobile.ts"],
    ["mail-services", "resend.ts"],
    ["mail-services", "postmark.ts"],
  ])("%s shows %s, which the tests run", (page, file) => expect(isShown(page, file)).toBe(true));
});

describe.each([
  ["database", inDatabase],
  ["jwt", inToken],
] as const)("the guide to roles, %s sessions", (strategy, { auth }) => {
  const config = { adapter: database.adapter, providers: [], session: { strategy }, trustHost: true };

  it("shows a changed role at the next read, and a row without one is a member", async () => {
    const user = { id: strategy, name: "Ann", email: `${strategy}@example.com`, emailVerified: null };
    await database.adapter.createUser?.(user);
    const { header: cookie } = await createTestSession(config, { user });
    const roleNow = async () => (await auth(new Request("http://localhost:3000/", { headers: { cookie } })))?.role;
    expect(await roleNow()).toBe("member");
    await database.adapter.updateUser?.({ id: strategy, role: "admin" });
    expect(await roleNow()).toBe("admin");
    await database.adapter.updateUser?.({ id: strategy, role: "member" });
    expect(await roleNow()).toBe("member");
    await database.adapter.deleteUser?.(strategy);
    expect(await roleNow()).toBeUndefined();
  });
});

describe("admin()", () => {
  it("admits administrators only", async () => {
    const statusOf = async (role?: string) => {
      const user = await database.adapter.createUser?.({
        ...{ id: role ?? "none", email: null, emailVerified: null },
        ...(role !== undefined && { role }),
      });
      const config = { adapter: database.adapter, providers: [], trustHost: true };
      const { header: cookie } = await createTestSession(config, user === undefined ? {} : { user });
      return (await admin(new Request("http://localhost:3000/admin", { headers: { cookie } }))).status;
    };
    expect([await statusOf(), await statusOf("member"), await statusOf("admin")]).toEqual([403, 403, 200]);
    const visitor = await admin(new Request("http://localhost:3000/admin"));
    expect(visitor.headers.get("location")).toContain("/auth/signin?callbackUrl=");
  });
});

describe("the guide to the user's id", () => {
  const user = { id: "7", name: "Ann", email: "seven@example.com", emailVerified: null };
  const requestOf = (cookie: string) => new Request("http://localhost:3000/", { headers: { cookie } });

  it("shows it with sessions in a cookie", async () => {
    const { header } = await createTestSession({ providers: [], trustHost: true }, { user });
    expect((await inCookie.auth(requestOf(header)))?.user.id).toBe("7");
  });

  it("shows it with sessions in the database", async () => {
    await database.adapter.createUser?.(user);
    const { header } = await createTestSession({ adapter: database.adapter, providers: [], trustHost: true }, { user });
    expect((await byDatabase.auth(requestOf(header)))?.user).toMatchObject({ id: "7", name: "Ann" });
  });
});

describe("the guide to mobile applications", () => {
  it.each([
    ["myapp://signed-in", "myapp://signed-in"],
    ["myapp://signed-in.evil.example", "http://localhost:3000"],
    ["other://signed-in", "http://localhost:3000"],
    ["https://evil.example/", "http://localhost:3000"],
  ])("leads from a sign-out with %s to %s", async (callbackUrl, destination) => {
    const browser = createBrowser(mobile.handlers.GET, { origin: "http://localhost:3000" });
    await browser.navigate("/auth/signin");
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    const left = await browser.fetch("/auth/signout", {
      method: "POST",
      headers: { "content-type": "application/json", "x-auth-return-redirect": "1" },
      body: JSON.stringify({ csrfToken, callbackUrl }),
    });
    expect((await left.json()).url.replace(/\/$/, "")).toBe(destination);
  });
});

describe("the mail services", () => {
  const URL_WITH_TOKEN = "https://app.example.com/auth/callback/resend?token=secret-token";
  const sent = { identifier: "ann@example.com", url: URL_WITH_TOKEN };

  it.each([
    [resend, "https://api.resend.com/emails", { to: ["ann@example.com"] }],
    [postmark, "https://api.postmarkapp.com/email", { To: "ann@example.com", TrackLinks: "None" }],
  ])("send the link with the key, and a failure tells neither", async (provider, address, body) => {
    const requests: Request[] = [];
    let status = 200;
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      requests.push(new Request(url, init));
      return Response.json({ echo: init.body }, { status });
    });
    const params = { ...sent, provider: { ...provider, apiKey: "the-key" } };
    await Reflect.apply(provider.sendVerificationRequest, provider, [params]);
    const [request] = requests;
    expect([request?.url, JSON.stringify([...(request?.headers ?? [])])]).toEqual([
      address,
      expect.stringContaining("the-key"),
    ]);
    const text = await request?.text();
    expect([JSON.parse(text ?? ""), text]).toEqual([
      expect.objectContaining(body),
      expect.stringContaining(URL_WITH_TOKEN),
    ]);
    status = 422;
    const failure = await Reflect.apply(provider.sendVerificationRequest, provider, [params]).catch(String);
    expect(failure).toMatch(/422/);
    expect(failure).not.toMatch(/secret-token|the-key|ann@/);
  });

  it("send by SES through Nodemailer()", async () => {
    class SendEmailCommand {
      readonly input: { Content: { Raw: { Data: Uint8Array } } };
      constructor(input: { Content: { Raw: { Data: Uint8Array } } }) {
        this.input = input;
      }
    }
    const raws: string[] = [];
    const sesClient = {
      config: { region: async () => "eu-central-1" },
      send: async ({ input }: SendEmailCommand) => {
        raws.push(Buffer.from(input.Content.Raw.Data).toString());
        return { MessageId: "1" };
      },
    };
    const email = Nodemailer({
      server: { SES: { sesClient, SendEmailCommand } },
      from: "Example <no-reply@example.com>",
    });
    const params = {
      ...sent,
      provider: email,
      theme: {},
      expires: new Date(),
      token: "secret-token",
      request: new Request(URL_WITH_TOKEN),
    };
    await Reflect.apply(email.sendVerificationRequest, email, [params]);
    expect(raws).toEqual([expect.stringContaining("To: ann@example.com")]);
  });
});
