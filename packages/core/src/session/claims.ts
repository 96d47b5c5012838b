import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import type { JWTCallbackParams } from "../model/config.ts";
import { AccessDenied, AuthError, CallbackRouteError, JWTSessionError } from "../model/errors.ts";
import type { Awaitable, JWT, User } from "../model/records.ts";
import { toError } from "../model/to-error.ts";
import type { SessionContext } from "./strategy.ts";

/** The claims a session token starts with. `image` is what callbacks see, `picture` what is stored. */
export function initialClaims(user: User): JWT {
  const { id, name = null, email = null, image = null } = user;
  // A subject is text (RFC 7519 §4.1.2); an adapter of a table with numeric keys gives a number.
  return exposeImage({ name, email, picture: image, sub: id === undefined ? undefined : String(id) });
}

/** Adds `image` beside `picture`, so that callbacks find the user's image under either name (docs/callbacks.md; OIDC Core §5.1). */
export function exposeImage(claims: JWT): JWT {
  return "picture" in claims && !("image" in claims) ? { ...claims, image: claims.picture } : claims;
}

/** Inverse of {@link exposeImage}: stores the image once. */
export function storeImageOnce(claims: JWT): JWT {
  const { image, ...rest } = claims;
  return image === claims.picture ? rest : claims;
}

/** Whichever of the two names a callback changed the image under, both say the same afterwards. */
function reconcileImage(before: JWT, after: JWT): JWT {
  if (after.picture !== before.picture) return "image" in after ? { ...after, image: after.picture } : after;
  return after.image !== before.image && typeof after.image === "string" ? { ...after, picture: after.image } : after;
}

/** What `callbacks.jwt` made of the claims. */
export type JwtCallbackOutcome =
  | { readonly kind: "kept" }
  | { readonly kind: "changed"; readonly claims: JWT }
  | { readonly kind: "ended" };

/**
 * Runs `callbacks.jwt` on a copy of the claims.
 *
 * @throws CallbackRouteError when it throws; JWTSessionError when it returns neither an object nor null.
 */
export async function runJwtCallback(context: SessionContext, params: JWTCallbackParams): Promise<JwtCallbackOutcome> {
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
  return { kind: "changed", claims: reconcileImage(params.token, result) };
}

/**
 * Calls one of the application's callbacks. What it throws becomes a CallbackRouteError, but for our own errors; one that does
 * not settle within thirty seconds fails.
 */
export async function callWrapped<T>(name: string, call: () => Awaitable<T>): Promise<T> {
  try {
    return await withTimeout(APPLICATION_TIMEOUT_MS, call());
  } catch (error) {
    if (error instanceof AuthError) throw error;
    throw new CallbackRouteError(`callbacks.${name} threw.`, { cause: { err: toError(error), callback: name } });
  }
}

/** Names a value by its kind, never by its content. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : value === undefined ? "nothing" : `a ${typeof value}`;
}

/** Refuses the sign-in that the `jwt` callback ended. */
export function refuseEnded(): never {
  throw new AccessDenied("callbacks.jwt returned null at sign-in, so there is no session to give.");
}

/** Whether a value can be the claims of a session token: an object, and no list. */
export function isClaims(value: unknown): value is JWT {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
