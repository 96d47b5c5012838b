import { dropOldestPending, findPendingCookie, pendingSuffix } from "../../cookies/pending.ts";
import { randomToken, sha256 } from "../../crypto/primitives.ts";
import { openFirstCookie, sealCookie } from "../../crypto/sealed-cookie.ts";
import type { CookieAttributes } from "../../model/config.ts";
import type { FlowContext } from "../../model/context.ts";
import { InvalidCheck } from "../../model/errors.ts";
import type { ResolvedCookie, ResolvedOAuthProvider } from "../../model/resolved-config.ts";
import { type EpochSeconds, PENDING_SIGN_IN_LIFETIME } from "../../model/units.ts";
import { isEqualInConstantTime } from "../../protocol/csrf-token.ts";
import { valuesOf } from "../../protocol/received-cookies.ts";

/**
 * The pending sign-in: what the browser keeps between leaving for the provider and coming back (docs/behaviour.md#cookies). Three sealed
 * cookies per sign-in (state, PKCE verifier, nonce), told apart by a suffix `<time><hash of state>`, so that several tabs can
 * sign in at once.
 */

/** What a sign-in needs to know when the browser comes back. */
export interface PendingSignIn {
  readonly state: string;
  readonly callbackUrl: string;
  /** Fingerprint of the session that began it; absent when nobody was signed in, or without a database. */
  readonly startedIn: string | undefined;
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
  start: Pick<PendingSignIn, "callbackUrl" | "startedIn">,
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
  const { suffix, hash } = await pendingSuffix(context, pending.state);
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
      { value, used, of: hash, session: pending.startedIn ?? "", since: String(pending.authenticatedSince ?? "") },
      binding,
      PENDING_SIGN_IN_LIFETIME,
    );
    const name = `${cookieOf(context, part).name}.${suffix}`;
    const options = { ...attributesOf(context, provider, part), maxAge: PENDING_SIGN_IN_LIFETIME };
    context.jar.set({ name, value: sealed, options });
    bytes += name.length + sealed.length;
  }
  dropOldestPending(context, bytes);
}

/**
 * Takes the pending sign-in that belongs to `state`: its cookies are cleared whatever comes of it, and it is taken once.
 *
 * @throws InvalidCheck when there is none for this provider, it is too old, incomplete, or was taken before.
 */
export async function consumePending(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  state: string,
): Promise<PendingSignIn> {
  const hash = await sha256(state);
  const opened = new Map<Part, string>();
  let sealed: Readonly<Record<string, string>> = {};
  for (const part of PARTS) {
    const name = findPendingCookie(context, cookieOf(context, part), hash);
    if (name === undefined) continue;
    clear(context, provider, part, name);
    const value = await openFirstCookie(valuesOf(name, context), bindingOf(context, provider, part));
    if (value === null || !isEqualInConstantTime(value.of ?? "", hash)) continue;
    opened.set(part, value.value ?? "");
    if (part === "state") sealed = value;
  }
  const callbackUrl = opened.get("state");
  const found = PARTS.filter((part) => opened.has(part)).join(" ");
  if (callbackUrl === undefined || sealed.used !== found) throw stale(provider);
  if (!consumeOnce(hash, context.now())) throw replayed(provider);
  const { session = "", since = "" } = sealed;
  return {
    state,
    callbackUrl,
    startedIn: session === "" ? undefined : session,
    authenticatedSince: since === "" ? undefined : Number(since),
    codeVerifier: opened.get("pkce"),
    nonce: opened.get("nonce"),
  };
}

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

function clear(context: FlowContext, provider: ResolvedOAuthProvider, part: Part, name: string): void {
  context.jar.set({ name, value: "", options: { ...attributesOf(context, provider, part), maxAge: 0 } });
}

// Cookies can be sent again by whoever copied them; within this process a sign-in is taken once all the same.
const consumed = new Map<string, EpochSeconds>();
const MAX_REMEMBERED = 10_000;

function consumeOnce(hash: string, now: EpochSeconds): boolean {
  if (consumed.has(hash)) return false;
  for (const [old, at] of consumed) {
    if (now - at <= PENDING_SIGN_IN_LIFETIME && consumed.size < MAX_REMEMBERED) break;
    consumed.delete(old);
  }
  consumed.set(hash, now);
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
