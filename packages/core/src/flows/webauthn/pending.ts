import { dropOldestPending, findPendingCookie, listPendingCookies, pendingSuffix } from "../../cookies/pending.ts";
import { randomToken, sha256 } from "../../crypto/primitives.ts";
import { openFirstCookie, sealCookie } from "../../crypto/sealed-cookie.ts";
import type { FlowContext } from "../../model/context.ts";
import type { ResolvedWebAuthnProvider } from "../../model/resolved-config.ts";
import { PENDING_SIGN_IN_LIFETIME } from "../../model/units.ts";
import { isEqualInConstantTime } from "../../protocol/csrf-token.ts";
import { valuesOf } from "../../protocol/received-cookies.ts";
import type { Ceremony } from "../../protocol/webauthn-response.ts";
import type { TypedFields } from "./provider-hooks.ts";
import { refusal } from "./refusal.ts";
import { consumeHere, keyOf } from "./used-challenges.ts";

/**
 * The challenge of a passkey ceremony, from the options to the response. The browser keeps what it belongs to in a sealed cookie of
 * its own. Options write nothing to the database: a challenge is marked as used when it is (used-challenges.ts).
 */

/** What a ceremony has to know when its answer comes. */
export interface PendingCeremony {
  readonly ceremony: Ceremony;
  /** Fingerprint of the session that began it; empty when nobody was signed in. */
  readonly session: string;
  /** {@link digestOfUser} of who was asked for; empty when anybody may answer. */
  readonly user: string;
  /** What was typed, for a new account. */
  readonly fields: TypedFields;
}

/** 32 random bytes, base64url (WebAuthn L3 §13.4.3 asks for 16). */
export function newChallenge(): string {
  return randomToken();
}

/** Who was asked for, in a form that is as long for nobody as for somebody. */
export function digestOfUser(userId: string): Promise<string> {
  return sha256(`webauthn person ${userId}`);
}

/** Keeps what a challenge belongs to in the jar. */
export async function storeCeremony(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  challenge: string,
  pending: PendingCeremony,
): Promise<void> {
  const { suffix, hash } = await pendingSuffix(context, challenge);
  const { webauthnChallenge } = context.cookies;
  const { ceremony, session, user, fields } = pending;
  const until = String(context.now() + PENDING_SIGN_IN_LIFETIME);
  const sealed = { of: hash, ceremony, session, user, until, fields: JSON.stringify(fields) };
  const value = await sealCookie(sealed, bindingOf(context, provider), PENDING_SIGN_IN_LIFETIME);
  const name = `${webauthnChallenge.name}.${suffix}`;
  context.jar.set({ name, value, options: { ...webauthnChallenge.options, maxAge: PENDING_SIGN_IN_LIFETIME } });
  dropOldestPending(context, name.length + value.length);
}

/**
 * Takes the ceremony that a challenge belongs to. Whatever comes of it, its cookie is cleared, and this process takes it once.
 *
 * 1. This browser has a sealed cookie for it, of this provider, not older than 15 minutes.
 * 2. It was not taken before.
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
  const { webauthnChallenge } = context.cookies;
  const hash = await sha256(challenge);
  const name = findPendingCookie(context, webauthnChallenge, hash);
  clear(context, name);
  const sealed = await openFirstCookie(valuesOf(name ?? "", context), bindingOf(context, provider));
  if (sealed === null || !isEqualInConstantTime(sealed.of ?? "", hash)) throw refusal(provider, "challenge");
  if (!(Number(sealed.until) > context.now())) throw refusal(provider, "challenge");
  if (!consumeHere(context, await keyOf(provider, challenge))) throw refusal(provider, "replay");
  if (sealed.ceremony !== ceremony) throw refusal(provider, "challenge");
  const { session = "", user = "", fields = "{}" } = sealed;
  return { ceremony, session, user, fields: parseFields(fields) };
}

/** Clears one challenge; all that the browser has when the answer belongs to none of them. */
function clear(context: FlowContext, name: string | undefined): void {
  const { webauthnChallenge } = context.cookies;
  const names = name === undefined ? listPendingCookies(context, webauthnChallenge) : [name];
  for (const one of names) {
    context.jar.set({ name: one, value: "", options: { ...webauthnChallenge.options, maxAge: 0 } });
  }
}

function bindingOf(context: FlowContext, provider: ResolvedWebAuthnProvider) {
  const { salt } = context.cookies.webauthnChallenge;
  return { secrets: context.config.secrets, purpose: "challenge", salt, provider: provider.id } as const;
}

/** Sealed by us. */
function parseFields(json: string): TypedFields {
  return JSON.parse(json) as TypedFields;
}
