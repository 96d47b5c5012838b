import { randomToken, sha256 } from "../crypto/primitives.ts";
import { openCookie, sealCookie } from "../crypto/sealed-cookie.ts";
import type { CookieAttributes } from "../model/config.ts";
import type { FlowContext } from "../model/context.ts";
import { InvalidCheck } from "../model/errors.ts";
import type { ResolvedCookie, ResolvedOAuthProvider } from "../model/resolved-config.ts";
import { type EpochSeconds, PENDING_SIGN_IN_LIFETIME } from "../model/units.ts";
import { isEqualInConstantTime } from "../protocol/csrf-token.ts";

/**
 * The pending sign-in: what the browser keeps between leaving for the provider and coming back (contract 4). Three sealed
 * cookies per sign-in (state, PKCE verifier, nonce), told apart by a suffix `<time><hash of state>`, so that several tabs can
 * sign in at once.
 */

/** Parallel sign-ins that one browser may have. */
const MAX_PENDING = 5;

/** What all their cookies may take, in bytes; servers commonly refuse headers over 8 or 16 kB. */
const MAX_PENDING_BYTES = 8192;

/** What a sign-in needs to know when the browser comes back. */
export interface PendingSignIn {
  readonly state: string;
  readonly callbackUrl: string;
  /** Fingerprint of the session that began it; absent when nobody was signed in, or without a database. */
  readonly beganIn: string | undefined;
  /** When the person must have proved themselves to the provider last, if `max_age` was asked for (OIDC Core §3.1.2.1). */
  readonly authenticatedSince: EpochSeconds | undefined;
  readonly codeVerifier: string | undefined;
  readonly nonce: string | undefined;
}

type Part = "state" | "pkce" | "nonce";
const PARTS = ["state", "pkce", "nonce"] as const satisfies readonly Part[];

/** Makes the secrets of a new sign-in beside its `state`: 256 random bits each (RFC 7636 §7.1, RFC 6749 §10.10). */
export function newPendingSignIn(
  state: string,
  start: Pick<PendingSignIn, "callbackUrl" | "beganIn">,
  use: { readonly pkce: boolean; readonly nonce: boolean },
): PendingSignIn {
  return {
    ...start,
    authenticatedSince: undefined,
    state,
    codeVerifier: use.pkce ? randomToken() : undefined,
    nonce: use.nonce ? randomToken() : undefined,
  };
}

/** Puts the pending sign-in in the jar; the oldest ones go when there are too many. */
export async function storePending(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  pending: PendingSignIn,
): Promise<void> {
  const hash = await sha256(pending.state);
  const suffix = `${context.now().toString(36)}${hash.slice(0, HASH_LENGTH)}`;
  const values: Record<Part, string | undefined> = {
    state: pending.callbackUrl,
    pkce: pending.codeVerifier,
    nonce: pending.nonce,
  };
  const used = PARTS.filter((part) => values[part] !== undefined).join(" ");
  let bytes = 0;
  for (const part of PARTS) {
    const value = values[part];
    if (value === undefined) continue;
    const binding = bindingOf(context, provider, part);
    const sealed = await sealCookie(
      { value, used, of: hash, session: pending.beganIn ?? "", since: String(pending.authenticatedSince ?? "") },
      binding,
      PENDING_SIGN_IN_LIFETIME,
    );
    const name = `${cookieOf(context, part).name}.${suffix}`;
    const options = { ...attributesOf(context, provider, part), maxAge: PENDING_SIGN_IN_LIFETIME };
    context.jar.set({ name, value: sealed, options });
    bytes += name.length + sealed.length;
  }
  dropOldest(context, provider, bytes);
}

/**
 * Takes the pending sign-in that belongs to `state`: its cookies are cleared whatever comes of it, and it is taken once.
 *
 * @throws InvalidCheck when there is none for this provider, it is too old, incomplete, or was taken before.
 */
export async function takePending(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  state: string,
): Promise<PendingSignIn> {
  const hash = await sha256(state);
  const opened = new Map<Part, string>();
  let sealed: Readonly<Record<string, string>> = {};
  for (const part of PARTS) {
    const name = findName(context, part, hash);
    if (name === undefined) continue;
    clear(context, provider, part, name);
    const value = await openCookie(context.received.get(name) ?? "", bindingOf(context, provider, part));
    if (value === null || !isEqualInConstantTime(value.of ?? "", hash)) continue;
    opened.set(part, value.value ?? "");
    if (part === "state") sealed = value;
  }
  const callbackUrl = opened.get("state");
  const found = PARTS.filter((part) => opened.has(part)).join(" ");
  if (callbackUrl === undefined || sealed.used !== found) throw stale(provider);
  if (!claimOnce(hash, context.now())) throw replayed(provider);
  const { session = "", since = "" } = sealed;
  return {
    state,
    callbackUrl,
    beganIn: session === "" ? undefined : session,
    authenticatedSince: since === "" ? undefined : Number(since),
    codeVerifier: opened.get("pkce"),
    nonce: opened.get("nonce"),
  };
}

const HASH_LENGTH = 8;

/** The suffixes that are made here; a cookie with another one is somebody else's, and its name may not even be writable. */
const SUFFIX = /^[0-9a-z]{1,11}[\w-]{8}$/;

/** How many surplus sign-ins one answer drops: a flood of cookies is not answered with a flood. */
const MAX_DROPPED = 5;

function cookieOf(context: FlowContext, part: Part): ResolvedCookie {
  const { state, pkceCodeVerifier, nonce } = context.cookies;
  return part === "state" ? state : part === "pkce" ? pkceCodeVerifier : nonce;
}

function bindingOf(context: FlowContext, provider: ResolvedOAuthProvider, part: Part) {
  return { secrets: context.config.secrets, purpose: part, salt: cookieOf(context, part).salt, provider: provider.id };
}

/** An answer by `form_post` is a cross-site POST, with which browsers send only `SameSite=None` cookies. */
function attributesOf(context: FlowContext, provider: ResolvedOAuthProvider, part: Part): CookieAttributes {
  const { options } = cookieOf(context, part);
  return provider.formPost ? { ...options, sameSite: "none", secure: true } : options;
}

function findName(context: FlowContext, part: Part, hash: string): string | undefined {
  const prefix = `${cookieOf(context, part).name}.`;
  const ending = hash.slice(0, HASH_LENGTH);
  return [...context.received.keys()].find(
    (name) => name.startsWith(prefix) && name.endsWith(ending) && SUFFIX.test(name.slice(prefix.length)),
  );
}

function clear(context: FlowContext, provider: ResolvedOAuthProvider, part: Part, name: string): void {
  context.jar.set({ name, value: "", options: { ...attributesOf(context, provider, part), maxAge: 0 } });
}

function dropOldest(context: FlowContext, provider: ResolvedOAuthProvider, newBytes: number): void {
  const pending = storedBySuffix(context);
  let bytes = newBytes;
  let kept = 1;
  let dropped = 0;
  for (const [, cookies] of [...pending].sort(([a], [b]) => (a < b ? 1 : -1))) {
    bytes += cookies.reduce((sum, { name }) => sum + name.length + (context.received.get(name)?.length ?? 0), 0);
    kept += 1;
    if (kept <= MAX_PENDING && bytes <= MAX_PENDING_BYTES) continue;
    if (dropped >= MAX_DROPPED) return;
    dropped += 1;
    for (const { part, name } of cookies) clear(context, provider, part, name);
  }
}

function storedBySuffix(context: FlowContext): Map<string, { part: Part; name: string }[]> {
  const groups = new Map<string, { part: Part; name: string }[]>();
  for (const name of context.received.keys()) {
    const part = PARTS.find((candidate) => name.startsWith(`${cookieOf(context, candidate).name}.`));
    if (part === undefined) continue;
    const suffix = name.slice(cookieOf(context, part).name.length + 1);
    if (SUFFIX.test(suffix)) groups.set(suffix, [...(groups.get(suffix) ?? []), { part, name }]);
  }
  return groups;
}

// Cookies can be sent again by whoever copied them; within this process a sign-in is taken once all the same (safety H087).
const taken = new Map<string, EpochSeconds>();
const MAX_REMEMBERED = 10_000;

function claimOnce(hash: string, now: EpochSeconds): boolean {
  if (taken.has(hash)) return false;
  for (const [old, at] of taken) {
    if (now - at <= PENDING_SIGN_IN_LIFETIME && taken.size < MAX_REMEMBERED) break;
    taken.delete(old);
  }
  taken.set(hash, now);
  return true;
}

function stale(provider: ResolvedOAuthProvider): InvalidCheck {
  return new InvalidCheck(
    "This answer belongs to no sign-in that this browser began in the last 15 minutes. Start again.",
    {
      cause: { provider: provider.id },
    },
  );
}

function replayed(provider: ResolvedOAuthProvider): InvalidCheck {
  return new InvalidCheck("This answer was used before. Start again.", { cause: { provider: provider.id } });
}
