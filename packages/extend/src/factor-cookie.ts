import {
  type Cookie,
  type CookieBinding,
  decryptCookie,
  encryptCookie,
  type FlowContext,
  randomToken,
  sha256,
  valuesOf,
} from "@cardea/core/extension-host";
import type { Seconds } from "@cardea/core/extension-kit";

/**
 * The cookies of pending sign-ins: each contains only an encrypted random id. They are named
 * `cardea.factor.<time><hash>`, so that several tabs can sign in at the same time (docs/behaviour.md#cookies).
 */

/** The maximum number of pending sign-ins per browser; the oldest is dropped first. */
const MAX_PENDING = 5;

/** Long enough to find a phone. */
export const FACTOR_LIFETIME: Seconds = 600;

const HASH_LENGTH = 8;
const SUFFIX = /^[0-9a-z]{1,11}[\w-]{8}$/;

/** The cookie of a pending sign-in. */
export interface FactorCookie extends Cookie {
  /** Public id; distinguishes the sign-ins of several tabs. */
  readonly id: string;
  /** Of the entry in the store, which contains only a hash of the cookie's secret. */
  readonly key: string;
}

/** Creates a secret and adds its cookie to the jar. */
export async function addFactorCookie(context: FlowContext): Promise<FactorCookie> {
  const secret = randomToken();
  const id = await idOf(secret);
  const name = `${prefixOf(context)}${Date.now().toString(36)}${id}`;
  const value = await encryptCookie({ secret }, bindingOf(context), FACTOR_LIFETIME);
  const cookie = { name, value, options: attributes(context, FACTOR_LIFETIME) };
  context.jar.set(cookie);
  for (const older of namesOf(context).slice(MAX_PENDING - 1)) clear(context, older);
  return { ...cookie, id, key: await keyOf(secret) };
}

/** The cookies that can be decrypted, latest first: the one with a public id, or all without an id. */
export async function findFactorCookies(context: FlowContext, wanted: string | null): Promise<readonly FactorCookie[]> {
  const found: FactorCookie[] = [];
  const sent = namesOf(context).flatMap((name) => valuesOf(name, context).map((value) => ({ name, value })));
  for (const { name, value } of sent.filter((one) => wanted === null || one.name.endsWith(wanted))) {
    const { secret } = (await decryptCookie(value, bindingOf(context))) ?? {};
    const id = secret && (await idOf(secret));
    if (secret === undefined || id === undefined || (wanted !== null && id !== wanted)) continue;
    found.push({ name, value, options: attributes(context, FACTOR_LIFETIME), id, key: await keyOf(secret) });
  }
  return found;
}

function clear(context: FlowContext, name: string): void {
  context.jar.set({ name, value: "", options: attributes(context, 0) });
}

async function keyOf(secret: string): Promise<string> {
  return `cardea:pending:${await sha256(`pending admission entry ${secret}`)}`;
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
