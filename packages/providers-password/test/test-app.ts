/** An application with passwords, for the tests of this package. */
import { type AuthConfig, createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import { type Browser, createBrowser, createMemoryAdapter } from "@cardea/testing";
import { Password, type PasswordMail, type PasswordOptions, scrypt } from "../src/index.ts";

export const ORIGIN = "https://app.example.com";
/** Where the journeys below want to go, as a form that was refused keeps it. */
export const INSIDE = `&callbackUrl=${encodeURIComponent(`${ORIGIN}/inside`)}`;
export const EMAIL = "ann@example.com";
export const PASSWORD = "purple monkey sings";
export const OTHER = "quiet river under stones";

/** Cheap: what is tested is not how dear a hash is. */
export const cheap = scrypt({ N: 2 ** 10 });

/** What a case changes. */
export interface TestOptions {
  readonly options?: PasswordOptions;
  readonly config?: Partial<AuthConfig>;
  readonly strategy?: "jwt" | "database";
}

/** Starts an application. */
export function startApp({ options = {}, config = {}, strategy = "jwt" }: TestOptions = {}) {
  const memory = createMemoryAdapter();
  const store = memoryStore({ instances: 1 });
  const mails: PasswordMail[] = [];
  const works: Promise<void>[] = [];
  const after = (work: Promise<void>) => void works.push(work);
  /** Messages are sent after the answer. */
  const sent = async <T>(answer: Promise<T>): Promise<T> => {
    const result = await answer;
    await Promise.all(works);
    return result;
  };
  const said: string[] = [];
  const auth = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    adapter: memory.adapter,
    store,
    session: { strategy },
    providers: [
      Password({ hash: cheap, breached: false, parallel: 2, after, mail: (mail) => void mails.push(mail), ...options }),
    ],
    logger: {
      error: (error) => void said.push(`${error.message} ${String(error.cause)}`),
      warn: (text) => void said.push(text),
      debug: () => {},
    },
    ...config,
  });
  const open = (origin = ORIGIN) => createBrowser(auth.handlers.GET, { origin });
  const signIn = async (browser: Browser, email: string, password: string) => {
    const page = await browser.navigate("/auth/signin?callbackUrl=/inside");
    return sent(browser.submit(page, { action: "/auth/callback/password", fields: { email, password } }));
  };
  const userOf = async (browser: Browser) => (await (await browser.fetch("/auth/session")).json())?.user?.email ?? null;
  const beginRegister = async (browser: Browser, email = EMAIL, password = PASSWORD) => {
    const page = await browser.navigate("/auth/register/password?callbackUrl=/inside");
    return sent(browser.submit(page, { action: "/auth/register/password", fields: { email, password } }));
  };
  const askReset = async (browser: Browser, email = EMAIL) => {
    const page = await browser.navigate("/auth/reset/password?callbackUrl=/inside");
    return sent(browser.submit(page, { action: "/auth/reset/password", fields: { email } }));
  };
  /** Opens the link of the last message, and presses its button. */
  const useLink = async (browser: Browser, fields: Record<string, string> = {}, mail = mails.at(-1)) => {
    const url = new URL(mail?.url ?? "about:blank");
    const page = await browser.navigate(url.href);
    return sent(browser.submit(page, { action: url.pathname, fields }));
  };
  const register = async (browser: Browser, email = EMAIL, password = PASSWORD) => {
    await beginRegister(browser, email, password);
    return useLink(browser);
  };
  const choose = async (browser: Browser, password: string) => {
    const page = await browser.navigate("/auth/reset/password?step=choose");
    return sent(browser.submit(page, { action: "/auth/reset/password", fields: { password } }));
  };
  const change = async (browser: Browser, fields: Record<string, string>, what = "change") => {
    const page = await browser.navigate("/auth/password");
    return sent(browser.submit(page, { action: `/auth/password/${what}`, fields }));
  };
  const journeys = { signIn, userOf, beginRegister, askReset, useLink, register, choose, change };
  return { auth, memory, store, mails, said, open, ...journeys };
}
