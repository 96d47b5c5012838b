import type { SignInContext } from "../model/callbacks.ts";
import { CallbackRouteError } from "../model/errors.ts";
import { withoutPrototypes } from "./received-json.ts";

/**
 * The application's own data for a sign-in (docs/callbacks.md#own-data-through-a-sign-in), such as an invitation or a chosen plan.
 * It is encrypted in the pending sign-in and in the e-mail link, so that it reaches the callbacks unchanged.
 */

/** Limit in bytes of JSON. It keeps the cookie of a pending sign-in below 4 kB, and links short enough for mail programs. */
const MAX_BYTES = 1024;

/** The arguments of `signIn()` in server code, divided into two parts. */
export interface GivenFields {
  /** The fields of a form. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly own: SignInContext | undefined;
}

/**
 * Separates the context from the other arguments of `signIn()`. Text or a file named `context` is a form field, which a visitor
 * can write, and is never used as context.
 *
 * @throws CallbackRouteError for a context that is not an object of JSON values, or is too large.
 */
export function takeContext(given: ReadonlyMap<string, unknown>): GivenFields {
  const context = given.get("context");
  const kind = Object.prototype.toString.call(context);
  if (typeof context !== "object" || context === null || kind === "[object File]" || kind === "[object Blob]") {
    return { fields: given, own: undefined };
  }
  if (kind !== "[object Object]") throw new CallbackRouteError("signIn(): `context` must be an object of JSON values.");
  const fields = new Map([...given].filter(([name]) => name !== "context"));
  return { fields, own: parseContext(limited(JSON.stringify(context))) };
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
  if (isObject(value)) return value;
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

function isObject(value: unknown): value is SignInContext {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
