import type { EpochSeconds, RequestTools, SignInTools } from "@cardea/extend";
import { CHALLENGE_LIFETIME } from "./challenge-lifetime.ts";
import type { Ceremony } from "./protocol/webauthn-response.ts";
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
  /** Whether the browser was asked to create the passkey without a prompt; only for a registration. */
  readonly isConditional: boolean;
}

/** The requested user, in a form that has the same length if there is none. */
export function digestOfUser(t: RequestTools, userId: string): Promise<string> {
  return t.digest(`webauthn person ${userId}`);
}

/** Adds the context of a challenge to the cookies. */
export function storeCeremony(t: SignInTools, challenge: string, pending: PendingCeremony): Promise<void> {
  const { ceremony, session, user, fields, isConditional } = pending;
  const until = String(t.now() + CHALLENGE_LIFETIME);
  const mediation = isConditional ? { mediation: "conditional" } : {};
  return t.pending.store(challenge, { ceremony, session, user, until, fields: JSON.stringify(fields), ...mediation });
}

/**
 * Consumes the operation that a challenge belongs to, once per process. Its cookie is cleared in any case. If the response belongs
 * to none of the browser's challenges, all of them are cleared.
 *
 * 1. This browser has an encrypted cookie for it, from this provider and at most 15 minutes old.
 * 2. It was not consumed before.
 * 3. It was created for this operation.
 *
 * @throws WebAuthnVerificationError (`challenge`, `replay`).
 */
export async function consumeCeremony(t: SignInTools, challenge: string, ceremony: Ceremony): Promise<PendingCeremony> {
  const { carrier: provider } = t;
  const pending = parsePending(await t.pending.take(challenge));
  if (pending === null || !(pending.until > t.now())) throw refusal(provider, "challenge");
  if (!consumeHere(t, await keyOf(provider, challenge))) throw refusal(provider, "replay");
  if (pending.ceremony !== ceremony) throw refusal(provider, "challenge");
  return pending;
}

function parsePending(
  sealed: Readonly<Record<string, string>> | null,
): (PendingCeremony & { readonly until: EpochSeconds }) | null {
  const { ceremony, session = "", user = "", until, fields = "{}", mediation } = sealed ?? {};
  if (ceremony !== "register" && ceremony !== "authenticate") return null;
  const isConditional = mediation === "conditional";
  return { ceremony, session, user, until: Number(until), fields: fieldsOf(fields), isConditional };
}

function fieldsOf(json: string): TypedFields {
  // A cast: we encrypted these fields ourselves.
  return JSON.parse(json) as TypedFields;
}
