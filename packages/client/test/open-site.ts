import { Auth, type AuthConfig } from "@cardea/core";
import { type Browser, createBrowser, createScriptedProvider } from "@cardea/testing";
import { vi } from "vitest";
import { stubChannels } from "./stub-channels.ts";

/** A server made of the real engine, and a browser on it whose pages `fetch` from it. */
export interface Site {
  readonly browser: Browser;
  /** Requests that were sent, e.g. `GET session`, in order. */
  readonly requests: string[];
  /** The queries of these requests, and their bodies. */
  readonly queries: string[];
  readonly bodies: (BodyInit | null | undefined)[];
  /** Requests that were given up by who sent them. */
  readonly abandoned: string[];
  /** The channels between tabs that are open. */
  readonly channels: ReadonlySet<BroadcastChannel>;
  /** The requests of this kind that were sent. */
  count(action: string): number;
  /** Lets the next such request, or its answer, wait on the way until the returned function is called. */
  hold(action: string, what?: "request" | "answer"): () => void;
  /** Answers instead of the engine from now on: a status, a whole response, 0 for no answer at all, undefined to end it. */
  breakDown(answer: number | Response | undefined, action?: string): void;
  /** Waits until nothing is under way any more: no request, and no message between tabs that would lead to one. */
  settle(): Promise<void>;
  /** Sends the form of the sign-in page from another tab that has no client. */
  signInElsewhere(username?: string): Promise<void>;
  /** Sends the form of the sign-out page from another tab that has no client. */
  signOutElsewhere(): Promise<void>;
}

/** Turns of the event loop; a message between tabs takes one or two. */
const QUIET_TURNS = 10;

const ORIGIN = "https://app.example.com";

/** A password that is `correct`, an OpenID Provider, and claims that an update can change. */
function configure(overrides: Partial<AuthConfig>): AuthConfig {
  const op = createScriptedProvider();
  return {
    basePath: "/api/auth",
    secret: "a secret of more than thirty-two bytes for tests",
    trustHost: true,
    logger: { error: () => undefined, warn: () => undefined, debug: () => undefined },
    callbacks: {
      jwt: ({ token, trigger, session }) => (trigger === "update" ? Object.assign({}, token, session) : token),
    },
    providers: [
      {
        id: "credentials",
        name: "Password",
        type: "credentials",
        credentials: {},
        authorize: ({ username, password, ...rest }) =>
          password === "correct" ? { id: "7", name: String(username), email: JSON.stringify(rest) } : null,
      },
      {
        id: "op",
        name: "Provider",
        type: "oauth",
        authorization: "https://op.example.com/authorize",
        token: op.issuer,
        userinfo: op.issuer,
        clientId: "cid",
        clientSecret: "csecret",
      },
    ],
    ...overrides,
  };
}

/** Opens a site for one test. */
export function openSite(overrides: Partial<AuthConfig> = {}): Site {
  const config = configure(overrides);
  const browser = createBrowser((request) => Auth(request, config), { origin: ORIGIN });
  const { basePath = "/auth" } = config;
  const faults = new Map<string, number | Response>();
  const holds = new Map<string, Promise<void>>();
  const [requests, abandoned, queries]: [string[], string[], string[]] = [[], [], []];
  const bodies: Site["bodies"] = [];
  let travelling = 0;

  /** Waits where a user holds this request or its answer; once. */
  const pass = async (key: string) => {
    const held = holds.get(key);
    holds.delete(key);
    await held;
  };
  const send = async (url: string, init: RequestInit = {}) => {
    const action = `${init.method ?? "GET"} ${url.replace(/^.*?\/auth\/|\?.*/g, "")}`;
    const { signal } = init;
    signal?.throwIfAborted();
    requests.push(action);
    queries.push(new URL(url, ORIGIN).search);
    bodies.push(init.body);
    const travel = async () => {
      await pass(`request ${action}`);
      const fault = faults.get(action) ?? faults.get("any");
      if (fault === 0) throw new TypeError("fetch failed");
      const answer = typeof fault === "number" ? Response.json(null, { status: fault }) : fault?.clone();
      const response = answer ?? (await browser.fetch(url, init));
      await pass(`answer ${action}`);
      return response;
    };
    travelling++;
    return orAbort(travel(), signal, () => abandoned.push(action)).finally(() => {
      travelling--;
    });
  };
  vi.stubGlobal("fetch", send);

  const submit = async (action: string, fields: Readonly<Record<string, string>>, page: string) => {
    const tab = browser.tab();
    await tab.submit(await tab.navigate(`${basePath}/${page}`), { action: `${basePath}/${action}`, fields });
  };
  return {
    browser,
    requests,
    queries,
    bodies,
    abandoned,
    channels: stubChannels(),
    count: (action) => requests.filter((one) => one === action).length,
    hold: (action, what = "request") => {
      let release = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      holds.set(`${what} ${action}`, held);
      return () => release();
    },
    breakDown: (answer, action = "any") => {
      if (answer === undefined) faults.delete(action);
      else faults.set(action, answer);
    },
    settle: async () => {
      for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
        await new Promise((resolve) => setImmediate(resolve));
        if (travelling > 0) quiet = 0;
      }
    },
    signInElsewhere: (username = "Ann") => submit("callback/credentials", { username, password: "correct" }, "signin"),
    signOutElsewhere: () => submit("signout", {}, "signout"),
  };
}

/** What arrives, unless it is given up before. */
function orAbort<T>(arrival: Promise<T>, signal: AbortSignal | null | undefined, onAbort: () => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const giveUp = () => {
      onAbort();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", giveUp);
    arrival.then(resolve, reject).finally(() => signal?.removeEventListener("abort", giveUp));
  });
}
