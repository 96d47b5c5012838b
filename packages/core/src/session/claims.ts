import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { toError } from "../model/auth-error.ts";
import type { JWTCallbackParams } from "../model/callbacks.ts";
import type { FlowContext } from "../model/context.ts";
import { AccessDenied, AuthError, CallbackRouteError, JWTSessionError } from "../model/errors.ts";
import type { Awaitable, JWT, User } from "../model/records.ts";

/** The initial claims of a session token. Callbacks see `image`; `picture` is stored. */
export function initialClaims(user: User): JWT {
  const { id, name = null, email = null, image = null } = user;
  // A subject is text (RFC 7519 §4.1.2); an adapter of a table with numeric keys returns a number.
  return exposeImage({ name, email, picture: image, sub: id === undefined ? undefined : String(id) });
}

/**
 * Adds `image` alongside `picture`, so that callbacks find the user's image under both names (docs/callbacks.md): `image` is the
 * member of a user, `picture` the registered claim (OIDC Core §5.1), which callbacks written for Auth.js read and write. The token
 * stores one of them, because an image may be a long data URL, and two copies would need a second cookie.
 */
export function exposeImage(claims: JWT): JWT {
  return "picture" in claims && !("image" in claims) ? { ...claims, image: claims.picture } : claims;
}

/** Inverse of {@link exposeImage}: stores the image once. */
export function storeImageOnce(claims: JWT): JWT {
  const { image, ...rest } = claims;
  return image === claims.picture ? rest : claims;
}

/** If a callback changed the image under one of the two names, copies it to the other. */
function reconcileImage(before: JWT, after: JWT): JWT {
  if (after.picture !== before.picture) return "image" in after ? { ...after, image: after.picture } : after;
  return after.image !== before.image && typeof after.image === "string" ? { ...after, picture: after.image } : after;
}

/** The result of `callbacks.jwt`. */
export type JwtCallbackOutcome =
  | { readonly kind: "kept" }
  /** `before`: the JSON of the claims that it was called with, and may have changed in place. */
  | { readonly kind: "changed"; readonly claims: JWT; readonly before: string }
  | { readonly kind: "ended" };

/**
 * Calls `callbacks.jwt` with a copy of the claims.
 *
 * @throws CallbackRouteError if it throws; JWTSessionError if it returns neither an object nor null.
 */
export async function runJwtCallback(context: FlowContext, params: JWTCallbackParams): Promise<JwtCallbackOutcome> {
  const callback = context.config.callbacks.jwt;
  if (callback === undefined) return { kind: "kept" };
  const before = JSON.stringify(params.token);
  const result: unknown = await callWrapped("jwt", () => callback({ ...params, token: { ...params.token } }));
  if (result === null) return { kind: "ended" };
  if (!isClaims(result)) {
    throw new JWTSessionError(
      `callbacks.jwt returned ${describe(result)}; return the token, or null to end the session.`,
    );
  }
  if (JSON.stringify(result) === before) return { kind: "kept" };
  return { kind: "changed", claims: reconcileImage(params.token, result), before };
}

/**
 * Calls one of the application's callbacks. Its errors become CallbackRouteError, except our own; a callback that does not
 * settle within thirty seconds fails.
 */
export async function callWrapped<T>(name: string, call: () => Awaitable<T>): Promise<T> {
  try {
    return await withTimeout(APPLICATION_TIMEOUT_MS, call());
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new CallbackRouteError(`callbacks.${name} threw.`, { cause: { err: toError(error), callback: name } });
  }
}

/** Describes a value by its type, never by its content. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : value === undefined ? "nothing" : `a ${typeof value}`;
}

/** Denies a sign-in for which the `jwt` callback returned null. */
export function rejectEnded(): never {
  throw new AccessDenied("callbacks.jwt returned null during sign-in, so no session was created.");
}

/** Whether a value can be the claims of a session token: an object other than an array. */
export function isClaims(value: unknown): value is JWT {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
