import type { AdapterUser } from "../model/adapter.ts";
import type { Callbacks, SessionCallbackParams } from "../model/callbacks.ts";
import type { FlowContext } from "../model/context.ts";
import { CallbackRouteError } from "../model/errors.ts";
import { findRecent, keepRecent } from "../model/recent.ts";
import type { JWT, Session, User } from "../model/records.ts";
import type { EpochSeconds } from "../model/units.ts";
import { callWrapped, describe } from "./claims.ts";

/** The source of a session: the claims of its token, or the user of its record. */
type SessionSource = { readonly token: JWT } | { readonly user: AdapterUser };

/**
 * Creates the session that the client sees: name, e-mail address and image, and what `callbacks.session` adds. It does not
 * include the session token.
 *
 * @returns null if the callback returned null or an object without members; a promise only if there is a callback.
 * @throws CallbackRouteError if the callback throws or returns neither an object nor null.
 */
export function exposeSession(
  context: FlowContext,
  source: SessionSource,
  expires: EpochSeconds,
  update?: { readonly data: unknown },
): Promise<Session | null> | Session {
  const ends = Math.round(expires * 1000);
  const callback = context.config.callbacks.session;
  if (callback !== undefined) return callSession(callback, source, new Date(ends), update);
  return { user: publicUser(source), expires: expiryText(ends) };
}

/**
 * Cache of serialized expiries. Creating one takes as long as parsing a token, and it stays the same until the session
 * is renewed.
 */
const texts = new Map<number, string>();

/** More than the number of sessions in concurrent use. */
const MAX_TEXTS = 1024;

function expiryText(ends: number): string {
  return findRecent(texts, ends, MAX_TEXTS) ?? keepRecent(texts, ends, new Date(ends).toISOString(), MAX_TEXTS);
}

async function callSession(
  callback: NonNullable<Callbacks<Session>["session"]>,
  source: SessionSource,
  ends: Date,
  update: { readonly data: unknown } | undefined,
): Promise<Session | null> {
  // With database sessions the callback receives the database's values, as in Auth.js.
  const session = { user: publicUser(source), expires: "user" in source ? ends : ends.toISOString() };
  // Typed with both `token` and `user`, as in Auth.js; only the one of the current strategy is set.
  const params: object = { session, ...source, ...(update && { trigger: "update", newSession: update.data }) };
  const exposed: unknown = await callWrapped("session", () => callback(params as SessionCallbackParams));
  if (exposed === null) return null;
  if (isSession(exposed)) return Object.values(exposed).some(isSent) ? serialiseExpiry(exposed) : null;
  throw new CallbackRouteError(`callbacks.session returned ${describe(exposed)}; return the session.`);
}

function publicUser(source: SessionSource): User {
  if ("user" in source) return { name: source.user.name, email: source.user.email, image: source.user.image };
  const { name, email, picture } = source.token;
  return { name, email, image: picture };
}

/** Sessions are sent as JSON: outside of the callback, `expires` is always a string. */
function serialiseExpiry(session: Session): Session {
  const expires: unknown = session.expires;
  if (!(expires instanceof Date)) return session;
  return { ...session, expires: Number.isNaN(expires.getTime()) ? "" : expires.toISOString() };
}

/** Whether JSON has the member: what is empty there is no session on any side. */
function isSent(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}

function isSession(value: unknown): value is Session {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
