/**
 * The configuration of an application that `bindingContract` tests, in a module that every bundler and runtime can load.
 */
import type { AuthConfig, EmailProvider, OIDCProvider, Provider } from "@cardea/core";
import { createMemoryAdapter, type MemoryAdapter } from "./memory-adapter.ts";

/** The environment variables through which the contract configures the application. */
export type BindingEnvironment = Readonly<Record<string, string | undefined>>;

/** Options that depend on the application. */
export interface BindingApplicationOptions {
  /** Path prefix of the application's routes; default: none. */
  readonly prefix?: string | undefined;
  /** Path of the actions, if it is not the framework adapter's default. */
  readonly basePath?: string | undefined;
}

const DATABASE = Symbol.for("cardea.binding-application");

/** One database per process, even if a framework loads this module once per bundle. */
function openDatabase(): MemoryAdapter {
  const known: MemoryAdapter | undefined = Reflect.get(globalThis, DATABASE);
  const database = known ?? createMemoryAdapter();
  Reflect.set(globalThis, DATABASE, database);
  return database;
}

function providersOf(env: BindingEnvironment): Provider[] {
  const outside = env.BINDING_OUTSIDE ?? "http://127.0.0.1:9";
  const op: OIDCProvider & { clientId: string; clientSecret: string } = {
    id: "op",
    name: "Provider",
    type: "oidc",
    issuer: outside,
    clientId: "cid",
    clientSecret: "csecret",
  };
  const email: EmailProvider = {
    id: "email",
    name: "E-mail",
    type: "email",
    sendVerificationRequest: async ({ identifier, url }) => {
      await fetch(`${outside}/mail`, { method: "POST", body: JSON.stringify({ to: identifier, url }) });
    },
  };
  const password: Provider = {
    id: "credentials",
    name: "Password",
    type: "credentials",
    credentials: { username: {}, password: { type: "password" } },
    authorize: ({ username, password }) =>
      password === "correct" ? { id: "7", name: String(username), email: "ann@example.com" } : null,
  };
  return [op, email, password];
}

/**
 * The configuration for `createAuth` of the package under test: an OpenID Provider, e-mail links and passwords (any user name
 * with the password `correct`). Sessions are renewed on each read. Sessions of the user `Outage` cannot be read.
 * `callbacks.authorized` allows visitors to access everything except `{prefix}/members` and the paths below it, in any case.
 *
 * @param env the application's environment, usually `process.env`. `AUTH_URL`, if set, must also be in `process.env`.
 */
export function bindingConfig(env: BindingEnvironment, options: BindingApplicationOptions = {}): AuthConfig {
  const { prefix = "", basePath } = options;
  const members = `${prefix}/members`.toLowerCase();
  return {
    secret: env.AUTH_SECRET,
    trustHost: env.AUTH_URL === undefined,
    ...(basePath === undefined ? {} : { basePath }),
    providers: providersOf(env),
    adapter: openDatabase().adapter,
    session: { strategy: "jwt", updateAge: 0 },
    callbacks: {
      session: ({ session }) => {
        if (session.user?.name === "Outage") throw new Error("the users' database is down");
        return session;
      },
      authorized: ({ auth, request }) => {
        // Express, for example, matches `/Members` as `/members`.
        const path = new URL(request.url).pathname.toLowerCase();
        return auth !== null || (path !== members && !path.startsWith(`${members}/`));
      },
    },
  };
}
