/** An application with a second factor, and browsers on it. Test-only. */
import { type AuthConfig, createAuth } from "@cardea/core";
import { memoryStore } from "@cardea/core/adapters";
import type { Provider } from "@cardea/core/types";
import { type Browser, createBrowser, createClock, createMemoryAdapter, type Visit } from "@cardea/testing";
import { HOTP, Secret } from "otpauth";
import { afterEach } from "vitest";
import { recoveryCodes, type SecondFactorOptions, secondFactor, totp } from "../src/index.ts";

export const ORIGIN = "https://app.example.com";
export const STRATEGIES = ["jwt", "database"] as const;

const endings: (() => void)[] = [];
afterEach(() => {
  for (const end of endings.splice(0)) end();
});

/** A code of a secret at a time, as an authenticator app shows it. */
export function codeOf(secret: string, seconds: number): string {
  const key = Secret.fromBase32(secret.replaceAll(" ", ""));
  return HOTP.generate({ secret: key, counter: Math.floor(seconds / 30), digits: 6, algorithm: "SHA1" });
}

const ANN = { id: "ann", name: "Ann", email: "ann@example.com", emailVerified: null, image: null };
const BOB = { ...ANN, id: "bob", name: "Bob", email: "bob@example.com" };

/** Ann and Bob have the password `right`. */
export const PASSWORD: Provider = {
  id: "password",
  name: "Password",
  type: "credentials",
  credentials: { username: {}, password: {} },
  authorize: ({ username, password }) =>
    password === "right" ? ([ANN, BOB].find(({ id }) => id === username) ?? null) : null,
};

/** Starts an application whose users Ann and Bob have the password `right`; time stands still. */
export function startApplication(
  options: SecondFactorOptions = {},
  config: Partial<AuthConfig> & { readonly strategy?: "jwt" | "database" } = {},
) {
  const { strategy = "jwt", ...rest } = config;
  const clock = createClock(Math.floor(Date.now() / 30_000) * 30_000);
  const installed = clock.install();
  endings.push(() => installed.restore());
  const memory = createMemoryAdapter({ keepIds: true, seed: { users: [ANN, BOB] } });
  const log: string[] = [];
  const write = (entry: unknown) => void log.push(String(entry));
  const auth = createAuth({
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    session: { strategy },
    logger: { error: write, warn: write, debug: () => {} },
    adapter: memory.adapter,
    store: memoryStore({ instances: 1 }),
    extensions: [secondFactor({ factors: [totp({ issuer: "Acme" }), recoveryCodes()], ...options })],
    providers: [PASSWORD],
    ...rest,
  });
  const { handlers } = auth;
  const answer = (request: Request) => (request.method === "POST" ? handlers.POST(request) : handlers.GET(request));
  const newBrowser = () => person(createBrowser(answer, { origin: ORIGIN, now: clock.now }));
  const now = () => Math.floor(clock.now() / 1000);
  return { auth, memory, clock, log, newBrowser, now, handle: answer };
}

/** A user at a browser. */
function person(browser: Browser) {
  const csrfToken = async () => {
    const { csrfToken }: { csrfToken: string } = await (await browser.fetch("/auth/csrf")).json();
    return csrfToken;
  };
  /** Sends a form as a program does. */
  const send = async (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) => {
    const body = new URLSearchParams({ csrfToken: await csrfToken(), ...fields });
    return browser.fetch(path, { method: "POST", body, headers: { "x-auth-return-redirect": "1", ...headers } });
  };
  return {
    browser,
    send,
    signIn: (username = "ann", password = "right") => send("/auth/callback/password", { username, password }),
    async session(): Promise<unknown> {
      return (await browser.fetch("/auth/session")).json();
    },
    /** What GET `factor` tells a program. */
    async asked(): Promise<{ enrol?: { secret: string; setup: string; uri: string }; methods?: string[] }> {
      return (await browser.fetch("/auth/factor", { headers: { accept: "application/json" } })).json();
    },
    cookies: () => browser.cookies.list().map(({ name }) => name),
    hasSession: () => browser.cookies.list().some(({ name }) => name.includes("session-token")),
  };
}

type Person = ReturnType<typeof person>;

/** Signs a user in who has to enrol; returns the secret of the new app and the recovery codes. */
export async function enrol(app: { now: () => number }, who: Person, username = "ann") {
  await who.signIn(username);
  const { enrol: setup } = await who.asked();
  const secret = setup?.secret ?? "";
  const answer = await who.send("/auth/factor/totp", {
    step: "confirm",
    setup: setup?.setup ?? "",
    code: codeOf(secret, app.now()),
  });
  const { recoveryCodes: codes = [] }: { recoveryCodes?: string[] } = await answer.json();
  return { secret, codes, answer };
}

/** What an answer says to a program. */
export async function bodyOf(visit: Visit): Promise<Record<string, unknown>> {
  return visit.json();
}
