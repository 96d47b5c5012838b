import { type AttemptsOptions, attempts } from "@cardea/attempts";
import { createAuth } from "@cardea/core";
import type { Store } from "@cardea/core/adapters";
import { type Browser, createBrowser } from "@cardea/testing";

const ORIGIN = "https://app.example.com";

/** An application with passwords, in which the password of every user is "right", and how often its store was called. */
export function createApplication(store: Store, options: AttemptsOptions = {}) {
  let calls = 0;
  const counted = new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return (...args: unknown[]) => {
        calls += 1;
        return Reflect.apply(member, target, args);
      };
    },
  });
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    logger: { error: () => {}, warn: () => {}, debug: () => {} },
    session: { strategy: "jwt" },
    extensions: [attempts(options)],
    store: counted,
    providers: [
      {
        id: "password",
        name: "Password",
        type: "credentials",
        credentials: { username: {}, password: {} },
        authorize: ({ username, password }) =>
          password === "right" && typeof username === "string" ? { id: username, name: username } : null,
      },
    ],
  });
  const handle = (request: Request) => (request.method === "GET" ? handlers.GET(request) : handlers.POST(request));
  return {
    newBrowser: () => createBrowser(handle, { origin: ORIGIN }),
    /** Tries a password. Resolves to the number of calls of the store that this took. */
    async try(browser: Browser, username: string, password: string): Promise<number> {
      const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
      const before = calls;
      await browser.fetch("/auth/callback/password", {
        method: "POST",
        body: new URLSearchParams({ csrfToken, username, password }),
        headers: { "X-Auth-Return-Redirect": "1", "X-Forwarded-For": "192.0.2.1" },
      });
      return calls - before;
    },
  };
}

/** Calls of the store. */
export interface AttemptCalls {
  readonly wrong: number;
  /** The first sign-in in a browser, and the next one. */
  readonly first: number;
  readonly next: number;
}

/** Counts the calls of the store for a wrong password, and for sign-ins. */
export async function countAttemptCalls(store: Store, options?: AttemptsOptions): Promise<AttemptCalls> {
  const application = createApplication(store, options);
  const browser = application.newBrowser();
  await application.try(application.newBrowser(), "someone else", "wrong");
  const wrong = await application.try(browser, "ann@example.com", "wrong");
  const first = await application.try(browser, "ann@example.com", "right");
  return { wrong, first, next: await application.try(browser, "ann@example.com", "right") };
}
