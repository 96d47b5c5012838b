import type { AuthConfig, Awaitable, Callbacks, Session, User } from "@cardea/core";
import type { Context, MiddlewareHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { createAuth, type HonoAuth } from "./create-auth.ts";

/** What `callbacks.session` receives. */
type SessionParams = Parameters<NonNullable<Callbacks["session"]>>[0];

/** The user of a request, in the format of the variable `authUser` of `@hono/auth-js`. */
export interface AuthUser {
  /** The session that `callbacks.session` received, with the members that it sets. */
  readonly session: Session;
  /** The claims of the session token; `jwt` strategy only. Do not send them to the browser. */
  readonly token?: SessionParams["token"] | undefined;
  /** The user's row; `database` strategy only. */
  readonly user?: User | undefined;
}

/** A function that returns the configuration for a context. */
export type ConfigHandler = (c: Context) => Awaitable<AuthConfig>;

/** The variables of `initAuthConfig` and `verifyAuth`. */
export interface AuthVariables {
  /** Set by `verifyAuth`. */
  authUser: AuthUser;
  /** Set by `initAuthConfig`, for the functions below. */
  authConfig: HonoAuth;
  /** What `callbacks.session` received when the functions below read the session. */
  authSessionParams: SessionParams | undefined;
}

declare module "hono" {
  interface ContextVariableMap extends AuthVariables {}
}

/** Middleware that configures the functions below, for all routes after it. */
export function initAuthConfig(configure: ConfigHandler): MiddlewareHandler {
  const instance = createAuth(async (c?: Context) => {
    if (c === undefined) throw new Error("The function passed to initAuthConfig() requires a request.");
    return recorded(c, await configure(c));
  });
  return async (c, next) => {
    c.set("authConfig", instance);
    await next();
  };
}

/** The configuration, whose `callbacks.session` leaves its parameters in the context. */
function recorded(c: Context, config: AuthConfig): AuthConfig {
  const { session } = config.callbacks ?? {};
  const record = async (params: SessionParams) => {
    c.set("authSessionParams", params);
    return session === undefined ? params.session : session(params);
  };
  return { ...config, callbacks: { ...config.callbacks, session: record } };
}

/** All endpoints: `app.use("/api/auth/*", authHandler())`; set `basePath` to that path. */
export function authHandler(): MiddlewareHandler {
  return (c) => instanceOf(c).handler(c);
}

/** Middleware that throws an `HTTPException` with status 401 without a session, and otherwise sets the variable `authUser`. */
export function verifyAuth(): MiddlewareHandler {
  return async (c, next) => {
    const authUser = await getAuthUser(c);
    if (authUser === null) throw new HTTPException(401, { res: c.text("Unauthorized", 401) });
    c.set("authUser", authUser);
    await next();
  };
}

/**
 * The user of a request, or null. As in `@hono/auth-js`, a session whose `user` is null is not a user. Rejects with `SessionUnavailable` if
 * the session cannot be read.
 */
export async function getAuthUser(c: Context): Promise<AuthUser | null> {
  c.set("authSessionParams", undefined);
  const shown: Session | null = await instanceOf(c).auth(c);
  const params = c.get("authSessionParams");
  if (shown === null || params === undefined || ("user" in shown && !shown.user)) return null;
  const { session, token, user }: Partial<SessionParams> & Pick<SessionParams, "session"> = params;
  return { session, token, user };
}

function instanceOf(c: Context): HonoAuth {
  const instance: HonoAuth | undefined = c.get("authConfig");
  if (instance === undefined)
    throw new Error("initAuthConfig() is missing. Use it on a path that includes this route, before it.");
  return instance;
}
