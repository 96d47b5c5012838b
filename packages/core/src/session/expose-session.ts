import type { AdapterUser } from "../model/adapter.ts";
import type { SessionCallbackParams } from "../model/config.ts";
import { CallbackRouteError } from "../model/errors.ts";
import type { JWT, Session, User } from "../model/records.ts";
import type { EpochSeconds } from "../model/units.ts";
import { callWrapped, describe } from "./claims.ts";
import type { SessionContext } from "./strategy.ts";

/** Where a session comes from: the claims of its token, or the user of its record. */
export type SessionSource = { readonly token: JWT } | { readonly user: AdapterUser };

/**
 * Makes what the client sees of a session: name, e-mail and image, and what `callbacks.session` adds. The session
 * token is not part of it.
 *
 * @returns null when the callback returned null.
 * @throws CallbackRouteError when the callback throws or returns neither an object nor null.
 */
export async function exposeSession(
  context: SessionContext,
  source: SessionSource,
  expires: EpochSeconds,
  update?: { readonly data: unknown },
): Promise<Session | null> {
  const user = publicUser(source);
  const ends = new Date(expires * 1000);
  const callback = context.config.callbacks.session;
  if (callback === undefined) return { user, expires: ends.toISOString() };
  // With a database the callback gets what the database has, as in Auth.js.
  const session = { user, expires: "user" in source ? ends : ends.toISOString() };
  const trigger = update === undefined ? {} : { trigger: "update", newSession: update.data };
  const params = parseCallbackParams({ session, ...source, ...trigger });
  const exposed: unknown = await callWrapped("session", () => callback(params));
  if (exposed === null) return null;
  if (isSession(exposed)) return serialiseExpiry(exposed);
  throw new CallbackRouteError(`callbacks.session returned ${describe(exposed)}; return the session.`);
}

function publicUser(source: SessionSource): User {
  if ("user" in source) return { name: source.user.name, email: source.user.email, image: source.user.image };
  const { name, email, picture } = source.token;
  return { name, email, image: picture };
}

/** The parameters are typed with both `token` and `user`, as in Auth.js; only the one that fits the strategy is there. */
function parseCallbackParams(params: object): SessionCallbackParams {
  return params as SessionCallbackParams;
}

/** Sessions leave the server as JSON: outside of the callback `expires` is text everywhere. */
function serialiseExpiry(session: Session): Session {
  const expires: unknown = session.expires;
  if (!(expires instanceof Date)) return session;
  return { ...session, expires: Number.isNaN(expires.getTime()) ? "" : expires.toISOString() };
}

function isSession(value: unknown): value is Session {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
