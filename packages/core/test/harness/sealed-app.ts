/** One application in several places: with other secrets, on http, under other ids. For what core seals. Test-only. */
import { createAuth } from "@cardea/core";
import { memoryStore, type Store } from "@cardea/core/adapters";
import { customFetch, type OAuthProvider } from "@cardea/core/providers";
import type { AuthConfig } from "@cardea/core/types";
import { type ActionSpec, defineExtension, type Extension } from "@cardea/extend";
import { WebAuthn } from "@cardea/providers-webauthn";
import { createMemoryAdapter } from "@cardea/testing";

/** Where a text is written or read. */
export interface Place {
  readonly secrets: readonly string[];
  readonly secure: boolean;
  /** Suffix of the ids of providers, users and extensions. */
  readonly of: string;
}

export type Cookies = Readonly<Record<string, string>>;

/** How an application differs. */
export interface AppOptions {
  readonly origin?: string;
  readonly store?: Store;
  /** The token of every link; random by default. */
  readonly token?: string;
  /** The id of an extension that seals and decrypts what a request asks for. */
  readonly extension?: string;
  /** Whether every sign-in is interrupted. */
  readonly gated?: boolean;
}

/** The application, and what it said elsewhere than in its responses. */
export interface App {
  /** The full name of a cookie. */
  cookie(name: string): string;
  get(path: string, cookies?: Cookies): Promise<Response>;
  /** Sends a form with a CSRF token; resolves to the response, which names a redirect as JSON. */
  post(path: string, fields: Readonly<Record<string, unknown>>, cookies?: Cookies): Promise<Response>;
  /** Sends a form as another site does. */
  postFromElsewhere(path: string, form: string, cookies: Cookies): Promise<Response>;
  /** Requests a link; resolves to it and the cookies of this browser. */
  requestLink(
    email: string,
    context?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly link: URL; readonly cookies: Cookies }>;
  /** The public coordinates of the keys of DPoP proofs. */
  readonly proofs: string[];
}

const ORIGINS = ["https://app.example.com", "http://app.example.com"];
const USER = { emailVerified: new Date(0), image: null };
const memory = createMemoryAdapter({
  keepIds: true,
  seed: {
    users: [
      { ...USER, id: "ann", name: "ann", email: "ann@example.com" },
      { ...USER, id: "ann2", name: "ann2", email: "ann2@example.com" },
      { ...USER, id: "owner", name: "Owner", email: "owner@example.com", emailVerified: null },
    ],
    accounts: ["op", "op2", "bound", "bound2", "elsewhere"].map((provider) => ({
      provider,
      providerAccountId: "1",
      type: "oauth",
      userId: provider === "elsewhere" ? "owner" : "ann",
    })),
  },
});

const json = { csrf: "none", segment: "none", answers: "json", head: "skip" } as const;

/** Asks for a second proof at every sign-in, and says whether one is pending in a browser. */
const gate = defineExtension({
  id: "gate",
  needs: { store: true },
  admit: () => ({ ask: "gate" }),
  actions: {
    "GET gate": {
      ...json,
      run: async (action) => ({ kind: "json", status: 200, body: (await action.pendingSignIn()) !== null }),
    },
  },
});

/** Seals for the use in the query, and says whether it can be decrypted for that use. `cookie x` is the use of a cookie named `x`. */
function sealing(id: string): Extension {
  const cookieOf = (use: string) => (use.startsWith("cookie ") ? use.slice("cookie ".length) : undefined);
  const seal: ActionSpec["run"] = async ({ query }, t) => {
    const use = query.get("use") ?? "";
    const name = cookieOf(use);
    const body = name === undefined ? await t.seal({ a: "b" }, use, 60) : null;
    if (name !== undefined) await t.cookies.write(name, { a: "b" }, 60);
    return { kind: "json", status: 200, body };
  };
  const open: ActionSpec["run"] = async ({ query }, t) => {
    const use = query.get("use") ?? "";
    const name = cookieOf(use);
    const found = name === undefined ? await t.open(query.get("text") ?? "", use) : await t.cookies.read(name);
    return { kind: "json", status: 200, body: found !== null };
  };
  return defineExtension({ id, actions: { "GET seal": { ...json, run: seal }, "GET open": { ...json, run: open } } });
}

/** A provider whose every response is the same, and which notes the keys of proofs. */
function providerOf(id: string, proofs: string[], more: object = {}): OAuthProvider {
  const answer: typeof fetch = async (input, init) => {
    const proof = new Headers(init?.headers).get("dpop");
    const [header = ""] = proof?.split(".") ?? [];
    if (proof !== null) proofs.push(JSON.parse(Buffer.from(header, "base64url").toString()).jwk.x);
    const isToken = new URL(String(input)).pathname === "/token";
    return Response.json(isToken ? { access_token: "a", token_type: proof === null ? "bearer" : "DPoP" } : { id: "1" });
  };
  const [authorization, token, userinfo] = ["authorize", "token", "userinfo"].map(
    (path) => `https://op.example.com/${path}`,
  );
  const client = { clientId: "cid", clientSecret: "a client secret" };
  const profile = () => ({ id: "1" });
  return {
    id,
    name: id,
    type: "oauth",
    authorization,
    token,
    userinfo,
    ...client,
    profile,
    [customFetch]: answer,
    ...more,
  };
}

/** The cookies that a response sets. */
export function cookiesOf(response: Response): Cookies {
  const pairs = response.headers.getSetCookie().map((line) => {
    const [pair = ""] = line.split(";");
    return [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const;
  });
  return Object.fromEntries(pairs.filter(([, value]) => value !== ""));
}

/** What an application does elsewhere than in its responses. */
interface Effects {
  readonly proofs: string[];
  /** Links by their destination, of which each request has its own. */
  readonly links: Map<string, URL>;
}

function configOf(
  { secrets, of }: Place,
  { store, token, extension, gated }: AppOptions,
  effects: Effects,
): AuthConfig {
  const { proofs, links } = effects;
  const user = { id: `ann${of}`, name: `ann${of}` };
  return {
    secret: [...secrets],
    adapter: memory.adapter,
    store: store ?? memoryStore(),
    session: { strategy: "jwt" },
    experimental: { enableWebAuthn: true },
    extensions: [...(gated ? [gate] : []), ...(extension === undefined ? [] : [sealing(extension)])],
    providers: [
      providerOf(`op${of}`, proofs),
      providerOf(`proxied${of}`, proofs, { redirectProxyUrl: "https://proxy.example.com/auth" }),
      providerOf(`bound${of}`, proofs, { dpop: true }),
      providerOf(`posting${of}`, proofs, {
        authorization: { url: "https://op.example.com/authorize", params: { response_mode: "form_post" } },
      }),
      {
        id: `mail${of}`,
        name: "Mail",
        type: "email",
        rateLimit: () => true,
        sendVerificationRequest: ({ url }) => {
          const link = new URL(url);
          links.set(link.searchParams.get("callbackUrl") ?? "", link);
        },
        ...(token === undefined ? {} : { generateVerificationToken: () => token }),
      },
      { id: `password${of}`, name: "Password", type: "credentials", credentials: {}, authorize: () => user },
      {
        ...WebAuthn({ maxSignInAge: 60, relayingParty: { id: "app.example.com", origin: ORIGINS } }),
        id: `passkey${of}`,
      },
    ],
    redirectProxyOrigins: ORIGINS,
    logger: { error: () => undefined, warn: () => undefined },
  };
}

const known = new Map<string, App>();

/** The application in a place; started for each test if it has a store of its own. */
export function openApp(place: Place, options: AppOptions = {}): App {
  if (options.store !== undefined) return startApp(place, options);
  const key = JSON.stringify([place, options]);
  const app = known.get(key) ?? startApp(place, options);
  known.set(key, app);
  return app;
}

let destinations = 0;

function startApp(place: Place, options: AppOptions): App {
  const { secure, of } = place;
  const { origin = `${secure ? "https" : "http"}://app.example.com` } = options;
  const effects: Effects = { proofs: [], links: new Map() };
  const { handlers, signIn } = createAuth(configOf(place, options, effects));
  const requestOf = (path: string, cookies: Cookies, init: RequestInit = {}) => {
    const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
    const headers = { origin, "sec-fetch-site": "same-origin", cookie: cookie.join("; ") };
    return new Request(new URL(path, origin), { ...init, headers: { ...headers, ...init.headers } });
  };
  const get: App["get"] = (path, cookies = {}) => handlers.GET(requestOf(path, cookies));
  return {
    cookie: (name) => `${secure ? "__Host-" : ""}${name}`,
    proofs: effects.proofs,
    get,
    post: async (path, fields, cookies = {}) => {
      const form = await get("/auth/csrf", cookies);
      const { csrfToken }: { csrfToken: string } = await form.json();
      const headers = { "content-type": "application/json", "x-auth-return-redirect": "1" };
      const body = JSON.stringify({ csrfToken, ...fields });
      return handlers.POST(requestOf(path, { ...cookies, ...cookiesOf(form) }, { method: "POST", headers, body }));
    },
    postFromElsewhere: (path, body, cookies) => {
      const headers = { "content-type": "application/x-www-form-urlencoded", "sec-fetch-site": "cross-site" };
      return handlers.POST(requestOf(path, cookies, { method: "POST", headers, body }));
    },
    requestLink: async (email, context) => {
      destinations += 1;
      const redirectTo = `${origin}/${destinations}`;
      const asked = await signIn(requestOf("/login", {}), `mail${of}`, { email, redirectTo }, {}, context);
      const link = effects.links.get(redirectTo);
      if (link === undefined) throw new Error("No link was sent.");
      return { link, cookies: cookiesOf(asked) };
    },
  };
}
