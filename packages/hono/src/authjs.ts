import type { AuthConfig, Awaitable, Session, User } from "@cardea/core";
import type { Context, MiddlewareHandler } from "hono";
import { createAuth, type HonoAuth } from "./create-auth.ts";

/** The user of a request, in the format of the variable `authUser` of `@hono/auth-js`. */
export interface AuthUser {
  /** The session, as `callbacks.session` returns it. */
  readonly session: Session;
  /** Its user. */
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
}

declare module "hono" {
  interface ContextVariableMap extends AuthVariables {}
}

/** Middleware that configures the functions below, for all routes after it. */
export function initAuthConfig(configure: ConfigHandler): MiddlewareHandler {
  const instance = createAuth((c?: Context) => {
    if (c === undefined) throw new Error("The function passed to initAuthConfig() requires a request.");
    return configure(c);
  });
  return async (c, next) => {
    c.set("authConfig", instance);
    await next();
  };
}

/** All endpoints: `app.use("/api/auth/*", authHandler())`; set `basePath` to that path. */
export function authHandler(): MiddlewareHandler {
  return (c) => instanceOf(c).handler(c);
}

/** Middleware that responds with 401 without a session, and otherwise sets the variable `authUser`. */
export function verifyAuth(): MiddlewareHandler {
  return async (c, next) => {
    const authUser = await getAuthUser(c);
    if (authUser === null) return c.text("Unauthorized", 401);
    c.set("authUser", authUser);
    await next();
  };
}

/** The user of a request, or null. Rejects with `SessionUnavailable` if the session cannot be read. */
export async function getAuthUser(c: Context): Promise<AuthUser | null> {
  const session = await instanceOf(c).auth(c);
  return session === null ? null : { session, user: session.user };
}

function instanceOf(c: Context): HonoAuth {
  const instance: HonoAuth | undefined = c.get("authConfig");
  if (instance === undefined)
    throw new Error("initAuthConfig() is missing. Use it on a path that includes this route, before it.");
  return instance;
}
