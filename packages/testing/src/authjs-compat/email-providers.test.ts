// E-mail providers of @auth/core, as they come from npm: each sends its mail, and its link signs in.

import ForwardEmail from "@auth/core/providers/forwardemail";
import Loops from "@auth/core/providers/loops";
import Mailgun from "@auth/core/providers/mailgun";
import Postmark from "@auth/core/providers/postmark";
import Resend from "@auth/core/providers/resend";
import SendGrid from "@auth/core/providers/sendgrid";
import { createAuth } from "@cardea/core";
import type { Provider } from "@cardea/core/providers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createBrowser, createMemoryAdapter } from "../index.ts";

const FROM = "Green Room <door@mail.example.com>";
const KEY = "canary-api-key-of-the-mail-service";

/** Each function, and what it must be given besides. */
const FUNCTIONS = {
  forwardemail: [ForwardEmail, {}],
  loops: [Loops, { transactionalId: "template" }],
  mailgun: [Mailgun, { region: "EU" }],
  postmark: [Postmark, {}],
  resend: [Resend, {}],
  sendgrid: [SendGrid, {}],
} as const;

type Name = keyof typeof FUNCTIONS;

/** The options of each function are of another type; here they are all the same. */
function parseFunction(name: Name): (options: object) => Extract<Provider, { type: "email" }> {
  return FUNCTIONS[name][0] as unknown as (options: object) => Extract<Provider, { type: "email" }>;
}

/** Everything that was sent, as one text. */
async function readMail(request: Request): Promise<string> {
  const text = await request.clone().text();
  const isForm = request.headers.get("content-type")?.startsWith("multipart/form-data") === true;
  return isForm ? [...(await request.formData()).values()].map(String).join("\n") : text;
}

async function signIn(provider: Provider, id: string, answer: () => Response) {
  const mails: { readonly authorization: string; readonly body: string }[] = [];
  vi.stubGlobal("fetch", async (...args: ConstructorParameters<typeof Request>) => {
    const request = new Request(...args);
    mails.push({ authorization: [...request.headers.values()].join("\n"), body: await readMail(request) });
    return answer();
  });
  const logged: string[] = [];
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: createMemoryAdapter().adapter,
    providers: [provider],
    logger: { error: (error) => void logged.push(`${error.message} ${JSON.stringify(error.cause)}`), warn: () => {} },
  });
  const browser = createBrowser(handlers.GET, { origin: "https://app.example.com" });
  const page = await browser.navigate("/auth/signin");
  const fields = { email: "ada@example.com" };
  const told = await browser.submit(page, { action: `/auth/signin/${id}`, fields, follow: "all" });
  const link = /https:\/\/app\.example\.com\/auth\/callback\/[^"\s<\\)]*token=[^"\s<\\)]*/.exec(
    mails[0]?.body ?? "",
  )?.[0];
  if (link !== undefined) await browser.navigate(link.replaceAll("&amp;", "&"));
  const session = await (await browser.fetch("/auth/session")).json();
  return { mails, told: told.url, session, logged };
}

const names = Object.keys(FUNCTIONS) as Name[];

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

describe("e-mail providers of @auth/core", () => {
  it.each(names)("%s sends a link that signs in", async (name) => {
    const provider = parseFunction(name)({ apiKey: KEY, from: FROM, ...FUNCTIONS[name][1] });
    const { mails, told, session, logged } = await signIn(provider, provider.id, () =>
      Response.json({ success: true }),
    );
    expect(mails).toHaveLength(1);
    expect(mails[0]?.body).toContain("ada@example.com");
    expect(told).toContain("/auth/verify-request");
    expect(session).toMatchObject({ user: { email: "ada@example.com" } });
    expect(logged).toEqual([]);
  });

  it("resend is the function itself, its key from the environment", async () => {
    vi.stubEnv("AUTH_RESEND_KEY", KEY);
    const { mails, session } = await signIn(Resend, "resend", () => Response.json({}));
    expect(mails[0]?.authorization).toContain(`Bearer ${KEY}`);
    expect(session).toMatchObject({ user: { email: "ada@example.com" } });
  });

  it.each(names)("%s says so when the service refuses, and tells no one its key", async (name) => {
    const provider = parseFunction(name)({ apiKey: KEY, from: FROM, ...FUNCTIONS[name][1] });
    const refuse = () => Response.json({ message: `no such key: ${KEY}` }, { status: 401 });
    const { told, session, logged } = await signIn(provider, provider.id, refuse);
    expect(told).toContain("error=EmailSignin");
    expect(session).toBeNull();
    expect(logged).toHaveLength(1);
    expect(logged.join()).not.toContain(KEY);
  });
});
