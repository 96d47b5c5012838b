/** An application with an account page, and browsers on it. Test-only. */
import { type AuthConfig, createAuth } from "@cardea/core";
import { type Adapter, type AdapterAccount, memoryStore } from "@cardea/core/adapters";
import { defineExtension, type SecurityFact } from "@cardea/extend";
import { sessions } from "@cardea/sessions";
import { type Browser, createBrowser, createClock, createMemoryAdapter } from "@cardea/testing";
import { afterEach } from "vitest";
import { type AccountMail, type AccountOptions, account, accountOf } from "../src/index.ts";

const ORIGIN = "https://app.example.com";
/** Where the owner of a former address finds their mail. */
export const OLD = "ann@example.com";

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

const person = (id: string) => ({
  ...{ id, name: id, email: `${id}@example.com`, emailVerified: new Date(0), image: null },
});

/** How an application differs. */
export interface TestOptions {
  readonly account?: AccountOptions;
  readonly strategy?: "jwt" | "database";
  readonly accounts?: readonly AdapterAccount[];
  readonly config?: Partial<AuthConfig>;
  /** Changes the adapter, for example to one that lacks methods. */
  readonly adapt?: (adapter: Adapter) => Adapter;
}

const github = (id: string): AuthConfig["providers"][number] => ({
  ...{
    id,
    name: id === "github" ? "GitHub" : id,
    type: "oauth",
    clientId: "app",
    clientSecret: "s",
    checks: ["state"],
  },
  ...{ authorization: `https://${id}.example/authorize`, token: `https://${id}.example/token` },
  userinfo: `https://${id}.example/userinfo`,
  profile: ({ id: own }: { id?: unknown }) => ({ id: String(own) }),
});

/** Starts an application whose users Ann and Bob have the password `right`. Time stands still. */
export function startApplication({
  account: options = {},
  strategy = "jwt",
  accounts = [],
  config = {},
  adapt,
}: TestOptions = {}) {
  const clock = createClock(Math.floor(Date.now() / 1000) * 1000);
  const installed = clock.install();
  endings.push(() => installed.restore());
  const memory = createMemoryAdapter({
    keepIds: true,
    seed: { users: [person("ann"), person("bob")], accounts },
  });
  const adapter = adapt?.(memory.adapter) ?? memory.adapter;
  const store = memoryStore({ instances: 1, now: clock.now });
  const mails: AccountMail[] = [];
  const signInLinks: string[] = [];
  const log: string[] = [];
  const facts: SecurityFact[] = [];
  const write = (entry: unknown) => void log.push(String(entry));
  const auth = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    session: { strategy },
    logger: { error: write, warn: write, debug: () => {} },
    adapter,
    store,
    providers: [
      github("github"),
      github("gitlab"),
      {
        ...{ id: "email", name: "Email", type: "email", from: "app@example.com", maxAge: 86_400, options: {} },
        sendVerificationRequest: ({ url }: { url: string }) => void signInLinks.push(url),
      },
      {
        ...{ id: "password", name: "Password", type: "credentials", credentials: { username: {}, password: {} } },
        authorize: ({ username, password }) =>
          password === "right" && typeof username === "string" ? person(username) : null,
      },
    ],
    ...config,
    extensions: [
      ...(config.extensions ?? [sessions({ revocation: { every: 0.000_001 } })]),
      account({ mail: (mail) => void mails.push(mail), ...options }),
      defineExtension({ id: "observer", observe: (fact) => void facts.push(fact) }),
    ],
  });
  const { handlers } = auth;
  const answer = (request: Request) => (request.method === "POST" ? handlers.POST(request) : handlers.GET(request));
  const newBrowser = () => visitor(createBrowser(answer, { origin: ORIGIN, now: clock.now }));
  return { auth, memory, store, clock, mails, signInLinks, log, facts, newBrowser, operations: accountOf(auth) };
}

/** A user at a browser. */
function visitor(browser: Browser) {
  const send = async (path: string, fields: Record<string, string> = {}) => {
    const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
    const body = new URLSearchParams({ csrfToken, ...fields });
    return browser.fetch(path, { method: "POST", body, headers: { "x-auth-return-redirect": "1" } });
  };
  return {
    browser,
    /** Sends a form as a program does, and returns status and body. */
    async post(path: string, fields: Record<string, string> = {}) {
      const answer = await send(`/auth/account/${path}`, fields);
      return { status: answer.status, body: await answer.json() } as { status: number; body: Record<string, unknown> };
    },
    signIn: async (username = "ann", password = "right"): Promise<{ url: string; code?: string }> =>
      (await send("/auth/callback/password", { username, password })).json(),
    /** Signs in by a link in an e-mail, which is a proof of the mailbox alone. */
    async signInByMail(links: readonly string[], email = OLD) {
      await send("/auth/signin/email", { email });
      await browser.navigate(links.at(-1) ?? "", { initiator: "none" });
    },
    async session(): Promise<unknown> {
      return (await browser.fetch("/auth/session")).json();
    },
    /** What GET `account/data` tells a program. */
    async data() {
      const answer = await browser.fetch("/auth/account/data");
      return { status: answer.status, body: await answer.json() } as { status: number; body: Record<string, unknown> };
    },
    /** Opens a link of a message, and uses a button of its page. */
    async open(url: string | undefined, step = "confirm") {
      const page = await browser.navigate(url ?? "", { initiator: "none" });
      const text = await page.clone().text();
      if (!text.includes(`value="${step}"`)) return { status: page.status, text };
      const answer = await browser.submit(page, { button: step });
      return { status: answer.status, text: await answer.text() };
    },
  };
}

/** The latest message of a kind. */
export function mailOf(mails: readonly AccountMail[], kind: AccountMail["kind"]): AccountMail {
  const found = mails.filter((mail) => mail.kind === kind).at(-1);
  if (found === undefined)
    throw new Error(`No message of the kind ${kind}; there are ${mails.map((one) => one.kind).join(", ")}.`);
  return found;
}
