import { randomToken, sha256 } from "../crypto/primitives.ts";
import { type CookieBinding, openFirstCookie, sealCookie } from "../crypto/sealed-claims.ts";
import type { FlowContext } from "../model/context.ts";
import type { Seconds } from "../model/units.ts";
import { valuesOf } from "../protocol/cookie-values.ts";

/**
 * The cookies of pending sign-ins: each contains only an encrypted random id. They are named
 * `cardea.factor.<time><hash>`, so that several tabs can sign in at the same time (docs/behaviour.md#cookies).
 */

/** The maximum number of pending sign-ins per browser; the oldest is dropped first. */
const MAX_WAITING = 5;

const HASH_LENGTH = 8;
const SUFFIX = /^[0-9a-z]{1,11}[\w-]{8}$/;

/** The cookie of a pending sign-in. */
export interface WaitingCookie {
  readonly name: string;
  /** Secret; the store contains its hash. */
  readonly secret: string;
  /** Public id; distinguishes the sign-ins of several tabs. */
  readonly id: string;
}

/** Creates a secret and adds its cookie to the jar. */
export async function addWaitingCookie(context: FlowContext, lifetime: Seconds): Promise<WaitingCookie> {
  const secret = randomToken();
  const id = await idOf(secret);
  const name = `${prefixOf(context)}${Date.now().toString(36)}${id}`;
  context.jar.set({
    name,
    value: await sealCookie({ secret }, bindingOf(context), lifetime),
    options: attributes(context, lifetime),
  });
  for (const older of namesOf(context).slice(MAX_WAITING - 1)) clearWaitingCookie(context, older);
  return { name, secret, id };
}

/** The cookie with a public id, or the latest one without an id. Null if none can be decrypted. */
export async function findWaitingCookie(context: FlowContext, id: string | null): Promise<WaitingCookie | null> {
  for (const name of namesOf(context)) {
    if (id !== null && !name.endsWith(id)) continue;
    const { secret } = (await openFirstCookie(valuesOf(name, context), bindingOf(context))) ?? {};
    if (secret === undefined) continue;
    const own = await idOf(secret);
    if (id === null || own === id) return { name, secret, id: own };
  }
  return null;
}

/** Clears a cookie. */
export function clearWaitingCookie(context: FlowContext, name: string): void {
  context.jar.set({ name, value: "", options: attributes(context, 0) });
}

async function idOf(secret: string): Promise<string> {
  return (await sha256(`pending admission ${secret}`)).slice(0, HASH_LENGTH);
}

/** Cookie names, latest first. */
function namesOf(context: FlowContext): readonly string[] {
  const prefix = prefixOf(context);
  const suffixes = [...context.received.keys()]
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
  const own = suffixes.filter((suffix) => SUFFIX.test(suffix)).sort((a, b) => (a < b ? 1 : -1));
  return own.map((suffix) => `${prefix}${suffix}`);
}

function prefixOf(context: FlowContext): string {
  return `${isSecure(context) ? "__Host-" : ""}cardea.factor.`;
}

function isSecure({ cookies }: FlowContext): boolean {
  return cookies.sessionToken.options.secure === true;
}

function attributes(context: FlowContext, maxAge: Seconds) {
  return { httpOnly: true, sameSite: "lax", path: "/", secure: isSecure(context), maxAge } as const;
}

function bindingOf({ config }: FlowContext): CookieBinding {
  return { secrets: config.secrets, purpose: "pending-admission", salt: "cookie", provider: null };
}
