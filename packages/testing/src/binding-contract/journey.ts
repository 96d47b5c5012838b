import type { Browser } from "../browser.ts";
import type { Outside } from "./outside.ts";
import type { RawAnswer, RawRequest } from "./send-raw.ts";

/** The application under test, running. */
export interface RunningBinding {
  /** Where it listens on this machine, e.g. `http://localhost:3000`. */
  readonly origin: string;
  /** Everything it printed so far. */
  readonly output: () => string;
  /** Stops it. */
  readonly stop: () => Promise<void>;
}

/** Parts of the contract that a framework may lack, each with the reason; journeys that need one are not defined. */
export interface BindingGaps {
  /** A loader: code that runs before a page is rendered, at `{prefix}/loaded`. */
  readonly loader?: string;
  /** Streamed answers, at `{prefix}/stream`. */
  readonly stream?: string;
  /** `signIn` and `signOut` in server code, at `{prefix}/enter` and `{prefix}/leave`. */
  readonly operations?: string;
  /** Targets as they were sent: something in front of the application answers others than it would. */
  readonly targets?: string;
}

/** The application under test: how to start it, and where its parts are. */
export interface BindingUnderTest {
  /** Starts the application with these variables in its environment, on a free port of this machine. */
  readonly start: (env: Readonly<Record<string, string>>) => Promise<RunningBinding>;
  /** Path of the actions; default `/auth`. */
  readonly basePath?: string;
  /** What the paths of the application's routes begin with; default nothing. */
  readonly prefix?: string;
  /** Headers that a proxy in front of the application would add to each request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What the framework lacks, with reasons. */
  readonly lacks?: BindingGaps;
}

/** What a journey has: the application, what is around it, and ways to get there. */
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

/** One clause of the contract. */
export interface Journey {
  readonly name: string;
  readonly needs?: keyof BindingGaps;
  /** Further variables: the journey gets an application of its own. */
  readonly env?: Readonly<Record<string, string>>;
  readonly run: (site: Site, equal: Equal) => Promise<void>;
}

/** Signs in through the form of the built-in page, without scripts. */
export async function signIn(site: Site, browser: Browser, name = "Ann", to = `${site.prefix}/session`) {
  const page = await browser.navigate(`${site.base}/signin?callbackUrl=${encodeURIComponent(to)}`);
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
