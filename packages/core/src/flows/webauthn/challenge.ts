import { clearEveryPending, clearPending, type PendingKind, readPending, storePending } from "../../cookies/pending.ts";
import { randomToken, sha256 } from "../../crypto/primitives.ts";
import type { FlowContext } from "../../model/context.ts";
import type { ResolvedWebAuthnProvider } from "../../model/resolved-config.ts";
import { type EpochSeconds, PENDING_SIGN_IN_LIFETIME } from "../../model/units.ts";
import type { Ceremony } from "../../protocol/webauthn-response.ts";
import type { TypedFields } from "./provider-hooks.ts";
import { refusal } from "./refusal.ts";
import { consumeHere, keyOf } from "./used-challenges.ts";

/**
 * The challenge of a passkey operation, from the options to the response. An encrypted cookie stores its context. Options
 * write nothing to the database: a challenge is marked there when it is used (used-challenges.ts).
 */

/** The context of a challenge that is needed when the response arrives. */
export interface PendingCeremony {
  readonly ceremony: Ceremony;
  /** Fingerprint of the session that started it; empty if no one was signed in. */
  readonly session: string;
  /** {@link digestOfUser} of the requested user; empty if any user may respond. */
  readonly user: string;
  /** The submitted fields, for a new account. */
  readonly fields: TypedFields;
}

/** 32 random bytes, base64url (WebAuthn L3 §13.4.3 requires 16). */
export function newChallenge(): string {
  return randomToken();
}

/** The requested user, in a form that has the same length if there is none. */
export function digestOfUser(userId: string): Promise<string> {
  return sha256(`webauthn person ${userId}`);
}

const PENDING_CHALLENGE: PendingKind<PendingCeremony & { readonly until: EpochSeconds }> = {
  cookie: "webauthnChallenge",
  purpose: "challenge",
  write: ({ ceremony, session, user, until, fields }) => ({
    ceremony,
    session,
    user,
    until: String(until),
    fields: JSON.stringify(fields),
  }),
  parse: ({ ceremony, session = "", user = "", until, fields = "{}" }) => {
    if (ceremony !== "register" && ceremony !== "authenticate") return null;
    return { ceremony, session, user, until: Number(until), fields: fieldsOf(fields) };
  },
};

/** Adds the context of a challenge to the jar. */
export function storeCeremony(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  challenge: string,
  pending: PendingCeremony,
): Promise<void> {
  const value = { ...pending, until: context.now() + PENDING_SIGN_IN_LIFETIME };
  return storePending(context, PENDING_CHALLENGE, { provider, secret: challenge }, value);
}

/**
 * Consumes the ceremony that a challenge belongs to. Whatever comes of it, its cookie is cleared, and it counts once in this
 * process. When the answer belongs to none of the browser's challenges, all of them are cleared.
 *
 * 1. This browser has a sealed cookie for it, of this provider, not older than 15 minutes.
 * 2. It was not consumed before.
 * 3. It was made for this ceremony.
 *
 * @throws WebAuthnVerificationError (`challenge`, `replay`).
 */
export async function consumeCeremony(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  challenge: string,
  ceremony: Ceremony,
): Promise<PendingCeremony> {
  const key = { provider, secret: challenge };
  if (!(await clearPending(context, PENDING_CHALLENGE, key))) clearEveryPending(context, PENDING_CHALLENGE);
  const pending = await readPending(context, PENDING_CHALLENGE, key);
  if (pending === null || !(pending.until > context.now())) throw refusal(provider, "challenge");
  if (!consumeHere(context, await keyOf(provider, challenge))) throw refusal(provider, "replay");
  if (pending.ceremony !== ceremony) throw refusal(provider, "challenge");
  return pending;
}

function fieldsOf(json: string): TypedFields {
  // Sealed by us: it is what was typed.
  return JSON.parse(json) as TypedFields;
}
