import type { SignInContext } from "../model/callbacks.ts";
import { CallbackRouteError } from "../model/errors.ts";
import { isJsonObject, withoutPrototypes } from "./received-json.ts";

/**
 * The application's own data for a sign-in (docs/callbacks.md#own-data-through-a-sign-in), such as an invitation or a chosen plan.
 * It is encrypted in the pending sign-in and in the e-mail link, so that it reaches the callbacks unchanged.
 */

/** Limit in bytes of JSON. It keeps the cookie of a pending sign-in below 4 kB, and links short enough for mail programs. */
const MAX_BYTES = 1024;

/**
 * A copy of the context that server code passed to `signIn()`.
 *
 * @throws CallbackRouteError for a context that is not an object of JSON values, or is too large.
 */
export function copyContext(context: SignInContext | undefined): SignInContext | undefined {
  if (context === undefined) return undefined;
  if (Object.prototype.toString.call(context) === "[object Object]")
    return parseContext(limited(JSON.stringify(context)));
  throw new CallbackRouteError("signIn(): `context` must be an object of JSON values.");
}

/** The text to encrypt; empty without a context. */
export function writeContext(context: SignInContext | undefined): string {
  return context === undefined ? "" : JSON.stringify(context);
}

/**
 * Reads the text that {@link writeContext} returned.
 *
 * @throws CallbackRouteError if it is not an object.
 */
export function parseContext(text: string | undefined): SignInContext | undefined {
  if (text === undefined || text === "") return undefined;
  const value: unknown = withoutPrototypes(JSON.parse(text));
  if (isJsonObject(value)) return value;
  throw new CallbackRouteError("signIn(): `context` must be an object of JSON values.");
}

/** The member that callbacks receive; an empty object without a context. */
export function contextMember(context: SignInContext | undefined): { readonly context?: SignInContext } {
  return context === undefined ? {} : { context };
}

function limited(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= MAX_BYTES) return text;
  throw new CallbackRouteError(
    `signIn(): \`context\` has ${bytes} bytes of JSON; the limit is ${MAX_BYTES}. Store the data and pass its id.`,
  );
}
