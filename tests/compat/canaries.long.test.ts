import { inspect } from "node:util";
import { attempts } from "@cardea/attempts";
/** Secrets that a request holds, in every field, cookie and form, at every action of every extension. */
import { createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { customFetch } from "@cardea/core/providers";
import { logout } from "@cardea/logout";
import { emailCodes } from "@cardea/providers-email/codes";
import { Password, scrypt } from "@cardea/providers-password";
import { recoveryCodes, secondFactor, totp } from "@cardea/second-factor";
import { sessions } from "@cardea/sessions";
import { stepUp } from "@cardea/step-up";
import { createBrowser, createMemoryAdapter, createScriptedProvider } from "@cardea/testing";
import { vault } from "@cardea/vault";
import { describe, expect, it } from "vitest";

const ORIGIN = "https://app.example.com";
const ISSUER = "https://op.example.com";

/** What a request may hold that is secret. */
const SECRETS = [
  ...["password", "current", "code", "token", "setup", "state", "data", "logout_token", "id_token", "access_token"],
  ...["refresh_token", "context", "client_secret", "confirm", "code_verifier", "nonce", "proof"],
];

const ACTIONS = [
  ...["csrf", "providers", "session", "signin", "signin/op", "signin/mail", "signin/password", "signout", "error"],
  ...["callback/op", "callback/mail", "callback/password", "verify-request", "confirm-address", "webauthn-options/x"],
  ...["sessions", "factor", "factor/totp", "factor/recovery", "factors", "factors/totp", "factors/recovery"],
  ...["step-up", "step-up/oidc", "step-up/passkey", "signedout/op", "backchannel/op", "frontchannel/op"],
  ...["register/password", "reset/password", "password", "password/change", "password/add", "password/confirm"],
  ...["password/grow", "unknown"],
];

const level = stepUp({ settings: { within: "15m" }, audit: { within: "15m", factors: ["oidc"], acr: ["x"] } });

function start(strategy: "jwt" | "database", away: { now: boolean }) {
  const op = createScriptedProvider({ issuer: ISSUER });
  const logs: string[] = [];
  const log = (...said: unknown[]) => void logs.push(inspect(said, { depth: 12, maxStringLength: null }));
  const inner = memoryStore({ instances: 1 });
  const call =
    <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
    (...args: A) =>
      away.now ? Promise.reject(new Error("away")) : run(...args);
  const store = { ...inner, get: call(inner.get), set: call(inner.set), add: call(inner.add), swap: call(inner.swap) };
  const { store: _own, ...adapter } = createMemoryAdapter().adapter;
  const mails: { url: string | undefined; code?: string | undefined }[] = [];
  const { handlers } = createAuth({
    ...{ secret: "a secret of more than thirty-two bytes", trustHost: true, store, adapter, debug: true },
    session: { strategy },
    logger: { error: log, warn: log, debug: log },
    providers: [
      {
        ...{ id: "op", name: "op", type: "oidc", issuer: ISSUER, clientId: "cid", clientSecret: "csecret" },
        [customFetch]: op.fetch,
      },
      {
        id: "mail",
        name: "Mail",
        type: "email",
        code: emailCodes,
        sendVerificationRequest: (mail) => void mails.push(mail),
      },
      Password({ hash: scrypt({ N: 2 ** 10 }), breached: false, mail: (mail) => void mails.push(mail) }),
    ],
    extensions: [
      sessions({ revocation: { check: "each" } }),
      attempts({
        limits: { signin: "", email: "", "email-link": "", "email-code": "", factor: "", reset: "", oauth: "" },
      }),
      secondFactor({ factors: [totp({ issuer: "Acme" }), recoveryCodes()] }),
      level,
      logout({ backchannel: true, frontchannel: true }),
      vault(),
    ],
  });
  const browser = createBrowser(handlers.GET, { origin: ORIGIN, routes: { [ISSUER]: op.handler } });
  const signIn = async () => {
    const page = await browser.navigate("/auth/signin");
    const begun = await browser.submit(page, { action: "/auth/signin/op" });
    await browser.navigate((await op.authorize(new URL(begun.redirectsTo ?? ""))).url, { initiator: ISSUER });
  };
  return { handlers, browser, signIn, logs, mails };
}

const isLong = process.env.CARDEA_TEST_LONG === "1";

/** Without a digit, because lines of the library keep such words. */
const canaryOf = (name: string) => `Canary${name.replace(/\W/g, "")}xZqLmTrWp`;
const CANARY = /Canary\w+?xZqLmTrWp/g;

/** Cookies that could be ours. */
const COOKIES = [
  ...[
    "csrf-token",
    "session-token",
    "state.tabcdefgh",
    "challenge.tabcdefgh",
    "address",
    "factor.tabcdefgh",
    "browser",
  ],
  ...["device", "factor-device", "register", "reset", "signed-out", "leave", "vault.0"],
];

/** The link of a mail is moved into the form of a page without anything of another site (docs/behaviour.md#e-mail). */
const IN_FORMS = /^GET (?:reset\/password|callback\/mail) .*body: Canary(?:token|context)x/;

/** Ways to send the same. */
const FORMS = ["page", "json", "nested"] as const;

function requestOf(
  method: string,
  path: string,
  form: (typeof FORMS)[number],
  sent: { csrfToken: string; cookie: string },
) {
  const fields = Object.fromEntries(SECRETS.map((name) => [name, canaryOf(name)]));
  const own = { ...fields, email: "ann@example.com", level: "settings", step: "confirm", provider: "mail" };
  const params = new URLSearchParams(own);
  const forged = COOKIES.map((name) => `__Host-cardea.${name}=${canaryOf(`cookie${name}`)}`).join("; ");
  const headers = new Headers({
    cookie: form === "page" ? sent.cookie : `${forged}; ${sent.cookie}`,
    authorization: `Bearer ${canaryOf("authorization")}`,
    ...(form === "page" ? { accept: "text/html" } : { "x-auth-return-redirect": "1" }),
  });
  if (method === "GET") return new Request(`${ORIGIN}/auth/${path}?${params}`, { headers });
  const { csrfToken } = sent;
  params.set("csrfToken", csrfToken);
  if (form !== "nested") return new Request(`${ORIGIN}/auth/${path}`, { method, headers, body: params });
  headers.set("content-type", "application/json");
  const nested = Object.fromEntries(SECRETS.map((name) => [name, { deep: [canaryOf(name)] }]));
  const body = JSON.stringify({ ...own, ...nested, csrfToken });
  return new Request(`${ORIGIN}/auth/${path}`, { method, headers, body });
}

describe.each(isLong ? (["jwt", "database"] as const) : (["jwt"] as const))("secrets, %s sessions", (strategy) => {
  it.each(["a visitor", "a user", "a user during an outage"])("of %s are in no answer and in no log", async (who) => {
    const away = { now: false };
    const app = start(strategy, away);
    if (who !== "a visitor") await app.signIn();
    const { csrfToken } = await (await app.browser.fetch("/auth/csrf")).json();
    const cookies = app.browser.cookies.list().map(({ name, value }) => `${name}=${value}`);
    away.now = who.endsWith("outage");
    const found = new Set<string>();
    for (const path of ACTIONS)
      for (const method of ["GET", "POST"] as const)
        for (const form of method === "GET" ? (["page", "json"] as const) : FORMS) {
          const before = app.logs.length;
          const answer = await app.handlers[method](
            requestOf(method, path, form, { csrfToken, cookie: cookies.join("; ") }),
          );
          const said = {
            head: JSON.stringify([...answer.headers]),
            body: await answer.text(),
            log: app.logs.slice(before).join(),
          };
          for (const [where, text] of Object.entries(said))
            for (const [hit] of text.matchAll(CANARY)) found.add(`${method} ${path} ${answer.status} ${where}: ${hit}`);
        }
    expect([...found].filter((one) => !IN_FORMS.test(one))).toEqual([]);
    expect([app.logs.length > 100, found.size]).toEqual([true, 3]);
  });
});
