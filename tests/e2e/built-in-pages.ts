import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type AuthConfig, createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import Apple from "@cardea/providers-apple";
import Discord from "@cardea/providers-discord";
import { emailCodes } from "@cardea/providers-email/codes";
import Facebook from "@cardea/providers-facebook";
import GitHub from "@cardea/providers-github";
import GitLab from "@cardea/providers-gitlab";
import Google from "@cardea/providers-google";
import LinkedIn from "@cardea/providers-linkedin";
import MicrosoftEntraID from "@cardea/providers-microsoft-entra-id";
import { Password, scrypt } from "@cardea/providers-password";
import Slack from "@cardea/providers-slack";
import Spotify from "@cardea/providers-spotify";
import Twitch from "@cardea/providers-twitch";
import { Passkey } from "@cardea/providers-webauthn";
import X from "@cardea/providers-x";
import { passkey, recoveryCodes, secondFactor, totp } from "@cardea/second-factor";
import { sessions } from "@cardea/sessions";
import { stepUp } from "@cardea/step-up";
import { createMemoryAdapter, totpCode } from "@cardea/testing";
import type { Page } from "playwright-core";
import { toListener } from "./to-listener.ts";

/** Applications whose built-in pages are looked at: one method, several, providers only, very many, and from right to left. */

const ANN = { id: "ann", name: "Ann", email: "ann@example.com", emailVerified: new Date(0), image: null };
const PASSWORD = "purple monkey sings";

/** The mail that was sent last, by any application. */
const mails: { readonly to: string; readonly url: string; readonly code?: string | undefined }[] = [];

const credentials = {
  id: "staff",
  name: "Staff account",
  type: "credentials",
  credentials: { username: { label: "User name" }, password: {} },
  authorize: () => null,
} as const;

const email = {
  id: "email",
  name: "E-mail",
  type: "email",
  from: "no-reply@example.com",
  maxAge: 600,
  sendVerificationRequest: ({
    identifier: to,
    url,
    code,
  }: {
    identifier: string;
    url: string;
    code?: string | undefined;
  }) => {
    mails.push({ to, url, code });
  },
} as const;

const client = { clientId: "id", clientSecret: "secret" };
const providers = () => [
  ...[Google(client), GitHub(client), Apple({ ...client, clientSecret: "a.b.c" }), MicrosoftEntraID(client)],
  ...[Facebook(client), Discord(client), GitLab(client), Slack(client), LinkedIn(client), X(client)],
  ...[Spotify(client), Twitch(client)],
];

const custom = (id: string, name: string) => ({
  ...{ id, name, type: "oauth" as const, ...client },
  authorization: "https://id.example/a",
  token: "https://id.example/t",
  userinfo: "https://id.example/u",
  profile: () => ({ id: "1" }),
});

const NAMES = [
  "Ministry of Silly Walks",
  "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
  "日本",
  "<b>",
];

const password = () =>
  Password({
    hash: scrypt({ N: 2 ** 10 }),
    breached: false,
    mail: (mail) => void mails.push({ to: mail.to, url: mail.url ?? "" }),
  });

type Own = Omit<Partial<AuthConfig>, "adapter">;

function applications(): Readonly<Record<string, Own>> {
  const theme = { brandName: "Acme Notes", brandColor: "#4f46e5" };
  return {
    one: { providers: [credentials] },
    link: { theme, providers: [email] },
    many: {
      theme,
      providers: [password(), { ...email, code: emailCodes }, Passkey(), ...providers().slice(0, 3)],
      experimental: { enableWebAuthn: true },
      extensions: [
        secondFactor({ factors: [totp({ issuer: "Acme Notes" }), passkey(), recoveryCodes()] }),
        sessions(),
        stepUp({ settings: { within: "10m" }, money: { within: "1s", factors: ["totp", "password", "passkey"] } }),
      ],
    },
    oauth: { theme, providers: providers().slice(0, 4) },
    brands: { theme: { ...theme, brandName: "Ωmega" }, providers: providers() },
    huge: {
      providers: [...Array.from({ length: 200 }, (_, n) => custom(`p${n}`, NAMES[n] ?? `Provider ${n}`)), { ...email }],
    },
    rtl: {
      theme: { ...theme, brandName: "دفاتر" },
      texts: {
        lang: "ar",
        dir: "rtl",
        back: "العودة إلى {host}",
        signIn: { title: "تسجيل الدخول", lead: "للمتابعة إلى {host}", withProvider: "المتابعة عبر {name}", or: "أو" },
      },
      providers: [password(), { ...email, code: emailCodes }, ...providers().slice(0, 2)],
    },
  };
}

/** Starts all of them on one server, each below its name. */
export async function startPages(): Promise<{ readonly url: string; end(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  // A cast: a server on a port has an address that is an object.
  const url = `http://localhost:${(server.address() as AddressInfo).port}`;
  const all = new Map(
    Object.entries(applications()).map(([name, own]) => {
      const { adapter } = createMemoryAdapter({ keepIds: true, seed: { users: [ANN] } });
      const hasPasswords = own.extensions !== undefined || name === "rtl";
      const database = name === "one" || name === "oauth" || name === "brands" ? {} : { adapter };
      const auth = createAuth({
        ...{ basePath: `/${name}`, secret: "a secret of more than thirty-two bytes for tests", trustHost: true },
        ...{ logger: { error: console.error, warn: () => {}, debug: () => {} }, session: { strategy: "jwt" } },
        ...(hasPasswords ? { store: memoryStore({ instances: 1 }) } : {}),
        ...database,
        providers: [],
        ...own,
      });
      return [name, auth] as const;
    }),
  );
  serve(server, url, (path) => all.get(path.split("/")[1] ?? ""));
  return { url, end: () => new Promise((resolve) => void server.close(() => resolve()).closeAllConnections()) };
}

function serve(server: Server, origin: string, find: (path: string) => ReturnType<typeof createAuth> | undefined) {
  const home = () =>
    new Response("<!doctype html><html lang=en><title>Home</title><main><h1>Home</h1></main>", {
      headers: { "content-type": "text/html" },
    });
  const answer = async (request: Request) => {
    const auth = find(new URL(request.url).pathname);
    return auth === undefined ? home() : auth.handlers[request.method === "POST" ? "POST" : "GET"](request);
  };
  server.on(
    "request",
    toListener(answer, () => origin),
  );
}

/** Posts a form of an application with the page's cookies, and opens what it leads to. */
async function post(page: Page, path: string, fields: Readonly<Record<string, string>>): Promise<void> {
  const [, name = ""] = path.split("/");
  const { csrfToken } = await (await page.request.get(`/${name}/csrf`)).json();
  const headers = { "x-auth-return-redirect": "1" };
  const answer = await page.request.post(path, { form: { csrfToken, ...fields }, headers });
  const { url } = await answer.json();
  await page.goto(url);
}

/** Ann registers with a password, which signs her in. */
async function register(page: Page): Promise<void> {
  await post(page, "/many/register/password", { email: "eve@example.com", password: PASSWORD });
  await page.goto(mails.at(-1)?.url ?? "");
  await page.getByRole("button").last().click();
}

/** Every page that users see, by name, with the way there. The steps of one journey follow each other, in one browser. */
export const JOURNEYS: readonly (readonly [name: string, (page: Page) => Promise<unknown>])[][] = [
  [
    ["one", (page) => page.goto("/one/signin")],
    ["one-wrong", (page) => page.goto("/one/signin?error=CredentialsSignin")],
  ],
  [
    ["link", (page) => page.goto("/link/signin")],
    [
      "link-sent",
      (page) =>
        post(page, "/link/signin/email", {
          email: "ann.with.a.rather.long.address@a-department.of-an-organisation.example.com",
        }),
    ],
  ],
  [["link-confirm", (page) => page.goto(mails.at(-1)?.url ?? "")]],
  [
    ["oauth", (page) => page.goto("/oauth/signin")],
    ["oauth-error", (page) => page.goto("/oauth/signin?error=OAuthCallbackError")],
    ["brands", (page) => page.goto("/brands/signin")],
    ["huge", (page) => page.goto("/huge/signin")],
    ["rtl", (page) => page.goto("/rtl/signin")],
  ],
  [
    ["many", (page) => page.goto("/many/signin")],
    [
      "many-methods",
      async (page) => {
        await page.getByLabel("E-mail address").fill("ann@example.com");
        await page.getByRole("button", { name: "Continue" }).click();
      },
    ],
    [
      "many-wrong",
      async (page) => {
        await page.getByLabel("Password").fill("wrong");
        await page.getByRole("button", { name: "Sign in", exact: true }).click();
      },
    ],
    ["code", (page) => post(page, "/many/signin/email", { email: "ann@example.com" })],
    [
      "code-wrong",
      async (page) => {
        await page.getByRole("textbox").fill("0000 0000");
        await page.getByRole("button", { name: "Sign in" }).click();
      },
    ],
  ],
  [
    ["error", (page) => page.goto("/many/error")],
    ["error-configuration", (page) => page.goto("/many/error?error=Configuration")],
    ["error-access-denied", (page) => page.goto("/many/error?error=AccessDenied")],
    ["error-verification", (page) => page.goto("/many/error?error=Verification")],
    ["not-found", (page) => page.goto("/many/nowhere")],
  ],
  [
    ["register", (page) => page.goto("/many/register/password")],
    [
      "register-refused",
      async (page) => {
        await page.getByLabel("E-mail").fill("eve@example.com");
        await page.getByLabel("Password").fill("short");
        await page.getByRole("button", { name: "Create account" }).click();
      },
    ],
    [
      "register-sent",
      (page) => post(page, "/many/register/password", { email: "eve@example.com", password: PASSWORD }),
    ],
    ["reset", (page) => page.goto("/many/reset/password")],
    ["reset-sent", (page) => post(page, "/many/reset/password", { email: "eve@example.com" })],
  ],
  [
    [
      "register-confirm-elsewhere",
      async (page) => {
        const before = mails.length;
        const other = await page
          .context()
          .browser()
          ?.newContext({ baseURL: new URL(page.url()).origin });
        const tab = await other?.newPage();
        if (tab === undefined) throw new Error("No browser.");
        await tab.goto(new URL("/", mails[0]?.url).href);
        await post(tab, "/many/register/password", { email: "fay@example.com", password: PASSWORD });
        await other?.close();
        await page.goto(mails[before]?.url ?? "");
      },
    ],
  ],
  [
    [
      "signed-in-home",
      async (page) => {
        await page.goto("/many/register/password");
        await register(page);
      },
    ],
    ["signout", (page) => page.goto("/many/signout")],
    ["sessions", (page) => page.goto("/many/sessions")],
    ["sessions-ask", (page) => page.locator("summary").last().click()],
    ["step-up-settings", (page) => page.goto("/many/factors")],
    [
      "factors-empty",
      async (page) => {
        await page.getByLabel("Password").fill(PASSWORD);
        await page.getByRole("button", { name: "Confirm with your password" }).click();
        await page.getByRole("heading", { name: "Two-step verification" }).waitFor();
      },
    ],
    ["enrol", (page) => page.getByRole("button", { name: "Add an authenticator app" }).click()],
    [
      "enrol-wrong",
      async (page) => {
        await page.getByLabel("Code", { exact: true }).fill("000000");
        await page.getByRole("button").last().click();
      },
    ],
    [
      "codes",
      async (page) => {
        const key = (await page.locator("code").first().textContent()) ?? "";
        await page.getByLabel("Code", { exact: true }).fill(await totpCode(key.replaceAll(" ", "")));
        await page.getByLabel("Name of the app").fill("My phone");
        await page.getByRole("button").last().click();
      },
    ],
    ["factors", (page) => page.goto("/many/factors")],
    ["factors-ask", (page) => page.locator("summary").first().click()],
    ["password-change", (page) => page.goto("/many/password")],
    ["step-up", (page) => page.goto("/many/step-up?level=money&callbackUrl=/members")],
    [
      "factor",
      async (page) => {
        await page.context().clearCookies();
        await page.goto("/many/signin");
        await post(page, "/many/callback/password", { email: "eve@example.com", password: PASSWORD });
      },
    ],
    [
      "factor-wrong",
      async (page) => {
        await page.getByLabel("Code", { exact: true }).fill("000000");
        await page.getByRole("button", { name: "Continue" }).click();
      },
    ],
  ],
];
