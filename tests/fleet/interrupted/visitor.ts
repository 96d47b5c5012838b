import { createAuth, customFetch } from "@cardea/core";
import { emailCodes } from "@cardea/providers-email/codes";
import { Password, type PasswordMail, scrypt } from "@cardea/providers-password";
import { Passkey } from "@cardea/providers-webauthn";
import { sessions, sessionsOf } from "@cardea/sessions";
import { createAuthenticator, createBrowser, createScriptedProvider, type Visit } from "@cardea/testing";
import { type InterruptedProcess, interruptedProcess, type WholeAdapter } from "./interrupted-process.ts";

/** One of several processes of an application, with connections of its own. */
export interface Site extends InterruptedProcess {
  answer(request: Request): Promise<Response>;
  /** Ends every session of a user, as server code does. */
  endAll(userId: string): Promise<void>;
}

/** An e-mail with a link and a code. */
interface Mail {
  readonly to: string;
  readonly url: string;
  readonly code: string;
}

const op = createScriptedProvider();
const mails: Mail[] = [];
const passwordMails: PasswordMail[] = [];
/** Messages that are being sent after the response. */
const works: Promise<void>[] = [];

/** Starts a process. */
export function startSite(connection: WholeAdapter, strategy: "jwt" | "database"): Site {
  const own = interruptedProcess(connection);
  const { issuer, clientId, clientSecret = "" } = op;
  const silent = { error: () => undefined, warn: () => undefined, debug: () => undefined };
  const auth = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: own.adapter,
    store: own.adapter.store,
    session: { strategy },
    experimental: { enableWebAuthn: true },
    logger: silent,
    extensions: [sessions({ revocation: { check: "each" } })],
    providers: [
      { id: "op", name: "P", type: "oidc", issuer, clientId, clientSecret, [customFetch]: op.fetch },
      {
        id: "email",
        name: "E",
        type: "email",
        code: emailCodes,
        rateLimit: () => true,
        sendVerificationRequest: ({ identifier, url, code = "" }) => void mails.push({ to: identifier, url, code }),
      },
      Passkey(),
      Password({
        hash: scrypt({ N: 2 ** 10 }),
        breached: false,
        after: (work) => void works.push(work),
        mail: (mail) => void passwordMails.push(mail),
      }),
    ],
  });
  const { GET, POST } = auth.handlers;
  return {
    ...own,
    answer: async (request) => (request.method === "POST" ? POST(request) : GET(request)),
    endAll: (userId) => sessionsOf(auth).endAll(userId),
  };
}

/** The claims of a user at the provider. */
type OpUser = Readonly<Record<"sub" | "email", string>> & { readonly email_verified: boolean };

/** A user at a browser. `at` sends what follows to another process, as a load balancer does. */
export function visitor(first: Site) {
  let site = first;
  const browser = createBrowser((request) => site.answer(request), { routes: { [op.issuer]: op.handler } });
  const csrfToken = async (): Promise<string> => (await (await browser.fetch("/auth/csrf")).json()).csrfToken;
  const post = async (path: string, fields: Readonly<Record<string, string>> = {}): Promise<Visit> =>
    browser.navigate(path, { form: { csrfToken: await csrfToken(), ...fields } });
  const ask = async (email: string) => {
    const { redirectsTo = "" } = await post("/auth/signin/email", { email, callbackUrl: "/dash" });
    const { url, code } = mails.findLast(({ to }) => to === email) ?? { url: "", code: "" };
    return { url, code, form: redirectsTo };
  };
  const self = {
    browser,
    at(next: Site) {
      site = next;
      return self;
    },
    post,
    ask,
    /** The address of the session; null without one. */
    who: async (): Promise<string | null> => (await (await browser.fetch("/auth/session")).json())?.user?.email ?? null,
    open: (url: string) => browser.navigate(url),
    signInByLink: async (email: string) => browser.navigate((await ask(email)).url),
    /** Goes to the provider by the application's own button; the URL that leads back. */
    async beginAccount(user: OpUser): Promise<string> {
      op.user = { ...user };
      const begun = await post("/auth/signin/op", { callbackUrl: "/dash" });
      return `${(await op.authorize(begun.redirectsTo ?? "")).url}`;
    },
    /** Makes a passkey; the request that adds it. */
    async beginPasskey(): Promise<() => Promise<Visit>> {
      const asked = await (await browser.fetch("/auth/webauthn-options/passkey?action=register")).json();
      const data = await createAuthenticator().create(asked.options);
      const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" };
      const body = JSON.stringify({ action: "register", data, csrfToken: await csrfToken() });
      return () => browser.fetch("/auth/callback/passkey", { method: "POST", headers, body });
    },
    async register(email: string, password: string): Promise<void> {
      await post("/auth/register/password", { email, password });
      await Promise.all(works);
      const { url = "" } = passwordMails.findLast(({ to }) => to === email) ?? {};
      const { pathname, searchParams } = new URL(url);
      await post(pathname, { token: searchParams.get("token") ?? "" });
    },
    signInByPassword: (email: string, password: string) => post("/auth/callback/password", { email, password }),
    changePassword: (current: string, password: string) => post("/auth/password/change", { current, password }),
  };
  return self;
}
