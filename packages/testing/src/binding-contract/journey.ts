import type { Browser } from "../browser.ts";
import type { Outside } from "./outside.ts";
import type { RawAnswer, RawRequest } from "./send-raw.ts";

/** The application under test, running. */
export interface RunningBinding {
  /** Its URL on this machine, such as `http://localhost:3000`. */
  readonly origin: string;
  /** Its output so far. */
  readonly output: () => string;
  /** Stops it. */
  readonly stop: () => Promise<void>;
}

/** Features that a framework may lack, each with the reason. Journeys that need one of them are not defined. */
export interface BindingGaps {
  /** A loader: code that runs before a page is rendered, at `{prefix}/loaded`. */
  readonly loader?: string;
  /** Streamed responses, at `{prefix}/stream`. */
  readonly stream?: string;
  /** `signIn` and `signOut` in server code, at `{prefix}/enter` and `{prefix}/leave`. */
  readonly operations?: string;
  /** Unmodified request targets; set if a server in front of the application handles or changes some of them. */
  readonly targets?: string;
  /** Whether a request has several `Host` lines; set if a server in front of the application passes on one of them. */
  readonly hosts?: string;
  /** Methods that a `Request` cannot have; set if a server in front of the application fails on them. */
  readonly methods?: string;
}

/** How to start the application under test, and its URLs. */
export interface BindingUnderTest {
  /** Starts the application with these variables in its environment, on a free port of this machine. */
  readonly start: (env: Readonly<Record<string, string>>) => Promise<RunningBinding>;
  /** Path of the actions; default `/auth`. */
  readonly basePath?: string;
  /** Path prefix of the application's routes; default: none. */
  readonly prefix?: string;
  /** Headers that a proxy in front of the application would add to each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Features that the framework lacks, with reasons. */
  readonly lacks?: BindingGaps;
}

/** The application under test and its surroundings, for a journey. */
export interface Site {
  readonly origin: string;
  readonly base: string;
  readonly prefix: string;
  readonly outside: Outside;
  readonly output: () => string;
  /** A new browser, which follows redirects to the application and to the provider. */
  readonly open: (origin?: string) => Browser;
  /** One request as bytes. */
  readonly raw: (request: RawRequest) => Promise<RawAnswer>;
  /** How often the handler of `{prefix}/members` ran. */
  readonly countRuns: () => Promise<number>;
}

/** Fails when two values differ. */
type Equal = (actual: unknown, expected: unknown) => void;

/** One test of the contract. */
export interface Journey {
  readonly name: string;
  readonly needs?: keyof BindingGaps;
  /** Additional environment variables. The journey then gets a separate application. */
  readonly env?: Readonly<Record<string, string>>;
  readonly run: (site: Site, equal: Equal) => Promise<void>;
}

/** Signs in through the form of the built-in page, without scripts. */
export async function signIn(site: Site, browser: Browser, name = "Ann", to = `${site.prefix}/session`) {
  const page = await browser.navigate(`${site.base}/signin/credentials?callbackUrl=${encodeURIComponent(to)}`);
  const fields = { username: name, password: "correct" };
  return browser.submit(page, { action: `${site.base}/callback/credentials`, fields });
}

/** A browser whose user is signed in. */
export async function signedIn(site: Site, name = "Ann"): Promise<Browser> {
  const browser = site.open();
  await signIn(site, browser, name);
  return browser;
}

/** The `Cookie` header of a signed-in user, for raw requests. */
export async function cookieOf(site: Site, name = "Ann"): Promise<string> {
  const { cookies } = await signedIn(site, name);
  return cookies
    .list()
    .map((cookie) => `${cookie.name}=${cookie.value}`)
    .join("; ");
}

/** The name of the user whom the session action reports; null for a visitor. */
export async function nameOf(site: Site, browser: Browser): Promise<unknown> {
  const session: unknown = await (await browser.fetch(`${site.origin}${site.base}/session`)).json();
  return readName(session);
}

/** The user's name in a session. */
export function readName(session: unknown): unknown {
  const { user } = Object(session);
  return user === undefined ? null : Object(user).name;
}

/** The lines of `Set-Cookie` that concern the session. */
export const sessionLines = (headers: Headers): string[] =>
  headers.getSetCookie().filter((line) => /session-token(?:\.\d)?=/.test(line));
