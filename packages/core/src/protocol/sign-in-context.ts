import { CallbackRouteError } from "../model/errors.ts";
import type { SignInContext } from "../model/sign-in-context.ts";
import { withoutPrototypes } from "./without-prototypes.ts";

/**
 * Own data that is carried through a sign-in (docs/callbacks.md#own-data-through-a-sign-in): an invitation, a plan that was chosen. It
 * is sealed in the pending sign-in, and in the link of an e-mail, so that it reaches the callbacks as server code gave it.
 */

/** Bytes of JSON: the cookie of a pending sign-in stays below 4 kB, and a link below the length that mail programs break. */
const MAX_BYTES = 1024;

/** What server code gave to `signIn()`, in two parts. */
export interface GivenFields {
  /** The fields of a form. */
  readonly fields: ReadonlyMap<string, unknown>;
  readonly own: SignInContext | undefined;
}

/**
 * Takes the context out of what server code gave to `signIn()`. Text and files are fields of a form, which a visitor writes, and no
 * context.
 *
 * @throws CallbackRouteError for a context that is no object of JSON values, or too large.
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

/** The text that is sealed; empty without a context. */
export function writeContext(context: SignInContext | undefined): string {
  return context === undefined ? "" : JSON.stringify(context);
}

/**
 * Reads what {@link writeContext} made.
 *
 * @throws CallbackRouteError for anything but an object.
 */
export function parseContext(text: string | undefined): SignInContext | undefined {
  if (text === undefined || text === "") return undefined;
  const value: unknown = withoutPrototypes(JSON.parse(text));
  if (isObject(value)) return value;
  throw new CallbackRouteError("signIn(): `context` must be an object of JSON values.");
}

/** The member that callbacks receive; absent without a context. */
export function contextMember(context: SignInContext | undefined): { readonly context?: SignInContext } {
  return context === undefined ? {} : { context };
}

function limited(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes <= MAX_BYTES) return text;
  throw new CallbackRouteError(
    `signIn(): \`context\` has ${bytes} bytes of JSON, and at most ${MAX_BYTES} are carried. Store the data, and carry its id.`,
  );
}

function isObject(value: unknown): value is SignInContext {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
