import { createRequire } from "node:module";
import { join } from "node:path";
import * as formerErrors from "@auth/core/errors";
import * as formerJwt from "@auth/core/jwt";
import FormerGitHub from "@auth/core/providers/github";
import FormerGoogle from "@auth/core/providers/google";
import * as core from "@cardea/core";
import * as errors from "@cardea/core/errors";
import * as jwt from "@cardea/core/jwt";
import { GitHub } from "@cardea/providers-github";
import { Google } from "@cardea/providers-google";
import { createBrowser, createScriptedProvider } from "@cardea/testing";
import { buildSync } from "esbuild";

/** What both libraries have, without their types: an observation is run with each of them. */
export interface Library {
  readonly isFormer: boolean;
  readonly core: Readonly<Record<string, unknown>>;
  readonly jwt: Readonly<Record<"encode" | "decode" | "getToken", (params: object) => Promise<unknown>>>;
  readonly errors: Readonly<Record<string, unknown>>;
  readonly GitHub: (options: object) => object;
  readonly Google: (options: object) => object;
  Auth(request: Request, config: object): Promise<Response>;
  /** What happens with a configuration before the first request; nothing in Auth.js. */
  start(config: object): void;
  setEnvDefaults(env: object, config: object): void;
  /** The full name of a cookie on https. */
  cookie(name: string): string;
}

export const CARDEA: Library = {
  isFormer: false,
  core,
  jwt: Object(jwt),
  errors,
  GitHub: Object(GitHub),
  Google: Object(Google),
  Auth: async (request, config) => Object(await core.Auth(request, Object(config))),
  start: (config) => void core.createAuth(Object({ secret: SECRET, logger: { warn: () => {} }, ...config })),
  setEnvDefaults: (env, config) => core.setEnvDefaults(Object(env), Object(config)),
  cookie: (name) => `__Host-cardea.${name}`,
};

/** Auth.js remembers for good that one configuration had a provider of a type: each observation gets a copy of its own. */
const source = buildSync({
  stdin: { contents: 'export * from "@auth/core";', resolveDir: import.meta.dirname },
  ...{ bundle: true, write: false, format: "cjs", platform: "node", logLevel: "silent" },
}).outputFiles[0]?.text;

function loadFormer(): typeof import("@auth/core") {
  const module = { exports: {} };
  const load = createRequire(join(import.meta.dirname, "bundle.cjs"));
  new Function("module", "exports", "require", source ?? "")(module, module.exports, load);
  return Object(module.exports);
}

export function formerLibrary(): Library {
  const formerCore = loadFormer();
  return {
    isFormer: true,
    core: formerCore,
    jwt: Object(formerJwt),
    errors: formerErrors,
    GitHub: Object(FormerGitHub),
    Google: Object(FormerGoogle),
    Auth: async (request, config) => Object(await formerCore.Auth(request, Object(config))),
    start: () => undefined,
    setEnvDefaults: (env, config) => formerCore.setEnvDefaults(Object(env), Object(config), true),
    cookie: (name) => `${name === "csrf-token" ? "__Host-" : "__Secure-"}authjs.${name}`,
  };
}

export const SECRET = "a secret of more than thirty-two bytes for tests";
export const ORIGIN = "https://app.example.com";

/** Signs in everyone but `wrong`. */
export const password = {
  id: "credentials",
  name: "Password",
  type: "credentials",
  credentials: { username: {} },
  authorize: ({ username }: Partial<Record<string, unknown>>) =>
    username === "wrong" ? null : { id: `id of ${username}`, name: username, email: `${username}@example.com` },
};

/** An application with one of the libraries, and a browser. */
export function site(library: Library, given: object = {}) {
  const logged: { readonly level: string; readonly text: string }[] = [];
  const log = (level: string) => (one: unknown) => void logged.push({ level, text: Object(one).name ?? String(one) });
  const logger = { error: log("error"), warn: log("warn"), debug: log("debug") };
  const config = { secret: SECRET, trustHost: true, basePath: "/auth", providers: [password], logger, ...given };
  const handle = (request: Request) => library.Auth(request, config);
  const browser = createBrowser(handle, { origin: ORIGIN });
  const ask = (path: string, init?: RequestInit) => handle(new Request(`${ORIGIN}/auth/${path}`, init));
  const csrf = async () => Object(await (await browser.fetch("/auth/csrf")).json()).csrfToken;
  /** Sends a form as a script does, and resolves to the URL that follows. */
  const post = async (path: string, fields: Record<string, string> = {}): Promise<URL> => {
    const body = new URLSearchParams({ csrfToken: await csrf(), ...fields });
    const init = { method: "POST", body, headers: { "X-Auth-Return-Redirect": "1" } };
    const { url } = Object(await (await browser.fetch(`/auth/${path}`, init)).json());
    return new URL(url, ORIGIN);
  };
  const session = async () => Object(await (await browser.fetch("/auth/session")).json());
  return {
    ...{ browser, ask, csrf, post, session, logged, handle },
    names: () => browser.cookies.list().map(({ name }) => name),
    signIn: (username = "ann") => post("callback/credentials", { username }),
    cookieHeader: () =>
      browser.cookies
        .list()
        .map(({ name, value }) => `${name}=${value}`)
        .join("; "),
    /** Signs in with the provider `op`, whatever it is; resolves to where that leads. */
    signInWith: async (handler: (request: Request) => Promise<Response>, query = "") => {
      const asked = await post(`signin/op${query}`);
      const back = await handler(new Request(asked));
      const location = back.headers.get("location") ?? "";
      const visit = await browser.fetch(location, { redirect: "manual" });
      return { asked, location: visit.headers.get("location") ?? visit.url };
    },
  };
}

/** A provider of OAuth 2 that answers with a profile, and what it does with a browser. */
export function oauth(library: Library, profile: string | object, given: object = {}) {
  const fetch = async (input: Request | string | URL) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url.endsWith("/token")) return Response.json({ access_token: "a", token_type: "bearer" });
    const text = typeof profile === "string" ? profile : JSON.stringify(profile);
    return new Response(text, { headers: { "content-type": "application/json" } });
  };
  const at = (name: string) => `https://op.example.com/${name}`;
  const provider = {
    ...{ id: "op", name: "Op", type: "oauth", clientId: "cid", clientSecret: "csecret" },
    ...{ authorization: at("authorize"), token: at("token"), userinfo: at("userinfo") },
    ...{ profile: (claims: object) => claims, [symbolOf(library)]: fetch, ...given },
  };
  const handler = async (request: Request) => {
    const { searchParams } = new URL(request.url);
    const back = new URL(searchParams.get("redirect_uri") ?? "");
    back.searchParams.set("code", "c");
    const state = searchParams.get("state");
    if (state !== null) back.searchParams.set("state", state);
    return new Response(null, { status: 302, headers: { location: back.href } });
  };
  return { provider, handler };
}

/** A provider of OpenID Connect. */
export function oidc(library: Library, given: object = {}, user: object = {}, metadata: object = {}) {
  const op = createScriptedProvider({ user: Object({ sub: "1", name: "Ann", email: "ann@example.com", ...user }) });
  op.script = { metadata: { set: Object(metadata) } };
  const provider = {
    ...{ id: "op", name: "Op", type: "oidc", issuer: op.issuer, clientId: op.clientId, clientSecret: op.clientSecret },
    ...{ [symbolOf(library)]: op.fetch, ...given },
  };
  return { provider, handler: op.handler };
}

const symbolOf = ({ core: { customFetch } }: Library) => Object(customFetch) as unknown as symbol;

/** A row of a page. It holds for Cardea; for the library of before, or for `control`, it does not. */
interface Observation {
  readonly shows: (library: Library) => Promise<void> | void;
  /** Where both libraries cannot be asked the same: something for which the expectation fails. */
  readonly control?: () => Promise<void> | void;
}

/** Observations by the anchor of their row. */
export type Observations = Readonly<Record<string, Observation["shows"] | Observation>>;
