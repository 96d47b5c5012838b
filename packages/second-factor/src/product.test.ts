/**
 * Every kind of provider × both strategies × a factor that is enrolled or one that is required × each row of the linking table for a user
 * that exists: there is no session before the factor, and the database is the same, byte for byte, until it is passed. The providers of
 * npm are in `packages/testing/src/authjs-compat/second-factor.test.ts`.
 */
import { type AuthConfig, createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { customFetch, type Provider } from "@cardea/core/providers";
import { Password, scrypt } from "@cardea/providers-password";
import { Passkey } from "@cardea/providers-webauthn";
import {
  type Browser,
  createAuthenticator,
  createBrowser,
  createClock,
  createMemoryAdapter,
  createScriptedProvider,
} from "@cardea/testing";
import { afterEach, describe, expect, it } from "vitest";
import { share } from "../../testing/src/long-form.ts";
import { codeOf, ORIGIN, STRATEGIES } from "../test/open-application.ts";
import { recoveryCodes, secondFactor, totp } from "./index.ts";

const NEEDS = ["enrolled", "always"] as const;
const PASSPHRASE = "purple monkey sings";
const EMAIL = "ann@example.com";

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** How a user arrives, and what the database has of them. */
interface Row {
  /** The account of the provider belongs to the user already. */
  readonly hasAccount?: true;
  /** The address of the row was proven; default yes. */
  readonly isUnproven?: true;
  /** The way in begins in a session of the user from before there were factors: it enrols none. */
  readonly inSession?: true;
  /** Rows of sessions can be ended: with the other strategy the owner is asked on `confirm-address` before any factor. */
  readonly only?: "database";
  /** What is in the database afterwards. */
  readonly after: (rows: ReturnType<App["memory"]["snapshot"]>) => void;
}

const nothingNew: Row["after"] = () => undefined;
const linked: Row["after"] = ({ accounts }) => expect(accounts).toMatchObject([{ userId: "ann", provider: "op" }]);
const proven: Row["after"] = ({ users }) => expect(users).toMatchObject([{ emailVerified: expect.any(Date) }]);

const OAUTH: Readonly<Record<string, Row>> = {
  "an account of the user": { hasAccount: true, after: linked },
  "an account of a user whose address the provider proves": { hasAccount: true, isUnproven: true, after: proven },
  "an account that is linked from a session": { inSession: true, after: linked },
  "an account that is linked by its address": { after: linked },
};
const ADDRESS: Readonly<Record<string, Row>> = {
  "a user whose address was proven": { after: nothingNew },
  "a user who was invited": { isUnproven: true, only: "database", after: proven },
};
const ONE: Readonly<Record<string, Row>> = { "the user": { after: nothingNew } };

/** The way of a browser up to the factor; resolves with where it is sent. */
type Arrive = (app: App, browser: Browser) => Promise<string | undefined>;

async function atProvider(app: App, browser: Browser) {
  const { url } = await (await app.send(browser, "/auth/signin/op", { callbackUrl: "/" })).json();
  const back = await app.op.authorize(new URL(url));
  return (await browser.navigate(back.url, { initiator: app.op.issuer })).redirectsTo;
}

/** A program is told where to go. */
async function post(app: App, browser: Browser, path: string, fields: Record<string, string>): Promise<string> {
  return (await (await app.send(browser, path, fields)).json()).url;
}

const KINDS: Readonly<Record<string, { readonly rows: Readonly<Record<string, Row>>; readonly arrive: Arrive }>> = {
  oidc: { rows: OAUTH, arrive: atProvider },
  oauth: { rows: OAUTH, arrive: atProvider },
  email: {
    rows: ADDRESS,
    arrive: async (app, browser) => {
      await app.send(browser, "/auth/signin/email", { email: EMAIL, callbackUrl: "/" });
      return (await browser.navigate(app.links.at(-1) ?? "")).redirectsTo;
    },
  },
  credentials: {
    rows: ONE,
    arrive: (app, browser) => post(app, browser, "/auth/callback/own", { username: "ann", password: "right" }),
  },
  password: {
    rows: ONE,
    arrive: (app, browser) => post(app, browser, "/auth/callback/password", { email: EMAIL, password: PASSPHRASE }),
  },
  webauthn: {
    rows: ONE,
    arrive: async (app, browser) => {
      const asked = await (await browser.fetch("/auth/webauthn-options/passkey?action=authenticate")).json();
      const data = JSON.stringify(await app.authenticator.get(asked.options));
      return post(app, browser, "/auth/callback/passkey", { action: "authenticate", data });
    },
  },
};

type App = ReturnType<typeof start>;

/** One database; `before` has no second factor, `now` has. */
function start(kind: string, strategy: "jwt" | "database", { hasAccount, isUnproven }: Row) {
  const clock = createClock(Math.floor(Date.now() / 30_000) * 30_000);
  const installed = clock.install();
  endings.push(() => installed.restore());
  const op = createScriptedProvider({
    clientSecret: "secret",
    type: kind === "oauth" ? "oauth2" : "oidc",
    user: { sub: "1815", email: EMAIL, email_verified: true, name: "Ann" },
    now: clock.now,
  });
  const { issuer, clientId, clientSecret } = op;
  const ends = { authorization: `${issuer}/authorize`, token: `${issuer}/token`, userinfo: `${issuer}/userinfo` };
  const shape = kind === "oauth" ? { type: "oauth" as const, ...ends } : { type: "oidc" as const };
  const links: string[] = [];
  const ann = { id: "ann", name: "Ann", email: EMAIL, emailVerified: isUnproven ? null : new Date(0), image: null };
  const account = { provider: "op", providerAccountId: "1815", type: shape.type, userId: "ann" };
  const memory = createMemoryAdapter({
    keepIds: true,
    seed: { users: [ann], accounts: hasAccount ? [account] : [] },
  });
  const others: Readonly<Record<string, Provider>> = {
    email: { id: "email", name: "E-mail", type: "email", sendVerificationRequest: ({ url }) => void links.push(url) },
    credentials: {
      id: "own",
      name: "Own",
      type: "credentials",
      credentials: {},
      authorize: ({ password }) => (password === "right" ? ann : null),
    },
    password: Password({ hash: scrypt({ N: 2 ** 10 }), breached: false, parallel: 1 }),
    webauthn: Passkey(),
  };
  const provider: Provider = others[kind] ?? {
    id: "op",
    name: "OP",
    ...shape,
    issuer,
    clientId,
    clientSecret,
    [customFetch]: op.fetch,
    allowDangerousEmailAccountLinking: true,
  };
  const setting: { need: "never" | "if-enrolled" | "always" } = { need: "never" };
  const config = {
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: memory.adapter,
    store: memoryStore({ instances: 1 }),
    session: { strategy },
    experimental: { enableWebAuthn: true },
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
  } satisfies Partial<AuthConfig>;
  // Who sets things up comes in by a way that is no part of the case.
  const setUp: Provider = { id: "set-up", name: "Set-up", type: "credentials", credentials: {}, authorize: () => ann };
  const factors = [totp({ issuer: "Acme" }), recoveryCodes()];
  const before = createAuth({ ...config, providers: [setUp, provider] });
  const preparing = createAuth({ ...config, providers: [setUp], extensions: [secondFactor({ factors })] });
  const now = createAuth({
    ...config,
    providers: [provider],
    extensions: [secondFactor({ factors, require: () => setting.need, passkeyIsEnough: false, existing: "keep" })],
  });
  const open = (auth: { readonly handlers: typeof now.handlers }, jar?: Browser) => {
    const answer = (request: Request) => auth.handlers[request.method === "POST" ? "POST" : "GET"](request);
    const browser = createBrowser(answer, { origin: ORIGIN, now: clock.now, routes: { [op.issuer]: op.handler } });
    if (jar !== undefined) browser.cookies.restore(jar.cookies.snapshot());
    return browser;
  };
  const send = async (browser: Browser, path: string, fields: Record<string, string> = {}) => {
    const { csrfToken } = await (await browser.fetch("/auth/csrf")).json();
    const headers = { "x-auth-return-redirect": "1" };
    return browser.fetch(path, { method: "POST", headers, body: new URLSearchParams({ csrfToken, ...fields }) });
  };
  const authenticator = createAuthenticator();
  return { op, links, memory, clock, setting, before, preparing, now, open, send, authenticator };
}

/** What the case needs besides the row: a passkey, a passphrase, an authenticator app. Returns the secret of the app. */
async function prepare(app: App, kind: string, need: (typeof NEEDS)[number]): Promise<string> {
  const browser = app.open(app.before);
  await app.send(browser, "/auth/callback/set-up");
  if (kind === "webauthn") {
    const asked = await (await browser.fetch("/auth/webauthn-options/passkey?action=register")).json();
    const data = JSON.stringify(await app.authenticator.create(asked.options));
    await app.send(browser, "/auth/callback/passkey", { action: "register", data });
  }
  if (kind === "password") {
    const secret = await scrypt({ N: 2 ** 10 }).hash(PASSPHRASE);
    await app.memory.adapter.createCredential({
      userId: "ann",
      type: "password",
      secret,
      createdAt: new Date(0),
      state: {},
    });
  }
  await app.send(browser, "/auth/signout");
  if (need === "always") return "";
  const enrolling = app.open(app.preparing);
  await app.send(enrolling, "/auth/callback/set-up");
  const { enrol } = await (await app.send(enrolling, "/auth/factors/totp", { step: "begin" })).json();
  const code = codeOf(enrol.secret, app.clock.now() / 1000);
  await app.send(enrolling, "/auth/factors/totp", { step: "confirm", setup: enrol.setup, code });
  await app.send(enrolling, "/auth/signout");
  app.clock.advance({ seconds: 60 });
  return enrol.secret;
}

const hasSession = (browser: Browser) => browser.cookies.list().some(({ name }) => name.includes("session-token"));

/** All that tells who may sign in, and who is: the tables but for the links that were sent. */
const rowsOf = ({ memory }: App) => JSON.stringify({ ...memory.snapshot(), verificationTokens: [] });

const cases = Object.entries(KINDS).flatMap(([kind, { rows, arrive }]) =>
  STRATEGIES.flatMap((strategy) =>
    Object.entries(rows)
      .filter(([, { only = strategy }]) => only === strategy)
      .flatMap(([name, row], n) =>
        // In the short form one of both, and the other with the other strategy.
        share(NEEDS, NEEDS.length, n + STRATEGIES.indexOf(strategy)).map((need) => ({
          kind,
          strategy,
          name,
          need,
          row,
          arrive,
        })),
      ),
  ),
);

describe("before a second factor there is no session and no write", () => {
  it.each(cases)("$kind, $strategy sessions, $name, $need", async ({ kind, strategy, need, row, arrive }) => {
    const app = start(kind, strategy, row);
    const secret = await prepare(app, kind, need);
    const former = app.open(app.before);
    if (row.inSession) await app.send(former, "/auth/callback/set-up");
    const browser = app.open(app.now, former);
    const had = browser.cookies.list().find(({ name }) => name.includes("session-token"))?.value;
    const before = rowsOf(app);
    app.setting.need = need === "always" ? "always" : "if-enrolled";
    const asking = new URL((await arrive(app, browser)) ?? "about:blank");
    const has = browser.cookies.list().find(({ name }) => name.includes("session-token"))?.value;
    expect(has, "no session, or the one from before").toBe(had);
    expect(asking.pathname).toBe("/auth/factor");
    const pending = asking.searchParams.get("pending") ?? "";
    expect(rowsOf(app)).toBe(before);
    const headers = { accept: "application/json" };
    const asked = await (await browser.fetch(`/auth/factor?pending=${pending}`, { headers })).json();
    expect((await app.send(browser, "/auth/factor/totp", { pending, code: "x" })).status).not.toBe(200);
    expect(rowsOf(app), "after a wrong code").toBe(before);
    if (row.inSession && need === "always") {
      expect(asked).toMatchObject({ code: "signed_out" });
      expect((await app.send(browser, "/auth/factor/totp", { pending, step: "confirm" })).status).toBe(401);
      expect(rowsOf(app)).toBe(before);
      return;
    }
    const { setup, secret: own } = asked.enrol ?? { setup: "", secret };
    const fields = asked.enrol === undefined ? { pending } : { pending, step: "confirm", setup };
    const code = codeOf(own, app.clock.now() / 1000);
    const answer = await app.send(browser, "/auth/factor/totp", { ...fields, code });
    expect(answer.status).toBe(200);
    expect(hasSession(browser)).toBe(true);
    expect(await (await browser.fetch("/auth/session")).json()).toMatchObject({ user: { email: EMAIL } });
    const after = app.memory.snapshot();
    expect(after.users).toHaveLength(1);
    row.after(after);
  });
});
