import { clearPending, type PendingKind, readPending, storePending } from "../cookies/pending.ts";
import { randomToken, sha256 } from "../crypto/primitives.ts";
import type { SignInContext } from "../model/callbacks.ts";
import type { FlowContext } from "../model/context.ts";
import { InvalidCheck } from "../model/errors.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import { type EpochSeconds, PENDING_SIGN_IN_LIFETIME } from "../model/units.ts";
import type { RequestedParams } from "../protocol/authorization-params.ts";
import { parseContext, writeContext } from "../protocol/sign-in-context.ts";

/** The state of a sign-in, needed when the browser returns from the provider. */
export interface PendingSignIn {
  readonly state: string;
  readonly callbackUrl: string;
  /** Fingerprint of the session that started it; undefined if no user was signed in, or without a database. */
  readonly startedIn: string | undefined;
  /** The mark of the page `confirm-address` that started it. */
  readonly startedFor: string | undefined;
  /** Whether the owner of the address wants a new user. */
  readonly startsFresh: boolean;
  /**
   * The earliest acceptable time of the user's authentication at the provider, if `max_age` was requested (OIDC Core
   * §3.1.2.1).
   */
  readonly authenticatedSince: EpochSeconds | undefined;
  /** The application's own data. */
  readonly context: SignInContext | undefined;
  /** The parameters that were requested; undefined if the sign-in cannot start again. */
  readonly requested: RequestedParams | undefined;
  /**
   * Set for re-authentication of a session's user, which must have no other effect (see `model/extension.ts`,
   * `Reauthentication`).
   */
  readonly reauthentication: string | undefined;
  readonly codeVerifier: string | undefined;
  readonly nonce: string | undefined;
}

/** All parts are in one cookie, so that none can be lost or exchanged with that of another sign-in (decisions/002). */
const PENDING_OAUTH: PendingKind<Omit<PendingSignIn, "state">> = {
  cookie: "state",
  purpose: "state",
  write: ({
    callbackUrl,
    startedIn = "",
    startedFor = "",
    startsFresh,
    authenticatedSince = "",
    reauthentication = "",
    context,
    requested,
    codeVerifier = "",
    nonce = "",
  }) => ({
    to: callbackUrl,
    session: startedIn,
    page: startedFor,
    fresh: startsFresh ? "1" : "",
    since: String(authenticatedSince),
    again: reauthentication,
    context: writeContext(context),
    asked: writeRequested(requested),
    pkce: codeVerifier,
    nonce,
  }),
  parse: ({ to, session, page, fresh, since, again, context, asked, pkce, nonce }) =>
    to === undefined
      ? null
      : {
          callbackUrl: to,
          startedIn: session || undefined,
          startedFor: page || undefined,
          startsFresh: fresh === "1",
          authenticatedSince: since ? Number(since) : undefined,
          reauthentication: again || undefined,
          context: parseContext(context),
          requested: parseRequested(asked),
          codeVerifier: pkce || undefined,
          nonce: nonce || undefined,
        },
};

/** Longer parameters would leave no room for the destination. */
const MAX_REQUESTED = 512;

function writeRequested(requested: RequestedParams | undefined): string {
  const text = requested === undefined ? "" : JSON.stringify({ by: requested.by, params: [...requested.params] });
  return text.length <= MAX_REQUESTED ? text : "";
}

function parseRequested(asked: string | undefined): RequestedParams | undefined {
  // Encrypted: only `writeRequested` wrote it.
  return asked ? (JSON.parse(asked) as RequestedParams) : undefined;
}

/**
 * Creates the secrets of a new sign-in in addition to its `state`: 256 random bits each (RFC 7636 §7.1, RFC 6749 §10.10).
 */
export function newPendingSignIn(
  state: string,
  start: Pick<
    PendingSignIn,
    "callbackUrl" | "startedIn" | "startedFor" | "startsFresh" | "reauthentication" | "context" | "requested"
  >,
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

/** Adds the pending sign-in to the jar. */
export function storePendingSignIn(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  pending: PendingSignIn,
): Promise<void> {
  return storePending(context, PENDING_OAUTH, { provider, secret: pending.state }, pending);
}

/**
 * Consumes the pending sign-in that belongs to `state`: its cookie is cleared regardless of the result, and it can be
 * used only once. If the browser still has the cookie of one that was consumed, the answer never arrived: its code is not sent again, but
 * the sign-in may start again; see {@link requireRestart}.
 *
 * @throws InvalidCheck if there is none for this provider, it has expired, or was consumed and cannot start again.
 */
export async function consumePendingSignIn(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  state: string,
): Promise<PendingSignIn & { readonly isConsumed: boolean }> {
  const ceremony = { provider, secret: state };
  await clearPending(context, PENDING_OAUTH, ceremony);
  const pending = await readPending(context, PENDING_OAUTH, ceremony);
  if (pending === null) throw stale(provider);
  const isConsumed = !consumeOnce(await sha256(state), context.now());
  if (isConsumed && pending.requested === undefined) throw replayed(provider);
  return { state, ...pending, isConsumed };
}

/**
 * What to request from the provider when a sign-in starts again, which it does once: what is started then has no such parameters.
 *
 * @throws InvalidCheck if it has started again.
 */
export async function requireRestart(
  context: FlowContext,
  provider: ResolvedOAuthProvider,
  { state, requested }: PendingSignIn,
): Promise<RequestedParams> {
  const isFirst = consumeOnce(await sha256(`again ${state}`), context.now());
  if (requested === undefined || !isFirst) throw replayed(provider);
  return requested;
}

/**
 * Hashes of the states that this process has consumed. Clearing a cookie is a request to the browser: an attacker who copied the
 * `Cookie` header can send the callback again, and a provider that accepts codes twice would then open a second session. Other
 * processes do not know the hashes; there, the provider's single use of the code and the lifetime of the cookie protect. A table
 * would cost a write for each sign-in and a database that core does not require; a map per configuration would be empty where an
 * application creates its configuration for each request.
 */
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
  return new InvalidCheck("No matching sign-in was started in this browser within the last 15 minutes. Start again.", {
    cause: { provider: provider.id },
  });
}

function replayed(provider: ResolvedOAuthProvider): InvalidCheck {
  return new InvalidCheck("This response was already used. Start again.", { cause: { provider: provider.id } });
}
