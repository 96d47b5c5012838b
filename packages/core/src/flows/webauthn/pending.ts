import { randomToken, sha256, sha256Hex } from "../crypto/primitives.ts";
import { openCookie, sealCookie } from "../crypto/sealed-cookie.ts";
import type { FlowContext } from "../model/context.ts";
import type { ResolvedWebAuthnProvider } from "../model/resolved-config.ts";
import { PENDING_SIGN_IN_LIFETIME } from "../model/units.ts";
import { isEqualInConstantTime } from "../protocol/csrf-token.ts";
import type { Ceremony } from "../protocol/webauthn-response.ts";
import { callAdapter } from "../session/call-adapter.ts";
import { dropOldestPending, findPendingCookie, listPendingCookies, pendingSuffix } from "./pending-cookies.ts";
import type { TypedFields } from "./webauthn-person.ts";
import { refusal } from "./webauthn-refusal.ts";

/**
 * The challenge of a passkey ceremony, from the options to the answer (contract 4, 10). The browser keeps what it belongs to
 * in a sealed cookie of its own; the server keeps its hash as a verification token, which can be taken once.
 */

/** What a ceremony has to know when its answer comes. */
export interface PendingCeremony {
  readonly ceremony: Ceremony;
  /** Fingerprint of the session that began it; empty when nobody was signed in. */
  readonly session: string;
  /** {@link digestOfPerson} of who was asked for; empty when anybody may answer. */
  readonly person: string;
  /** What was typed, for a new account. */
  readonly fields: TypedFields;
}

/** 32 random bytes, base64url (WebAuthn L3 §13.4.3 asks for 16). */
export function newChallenge(): string {
  return randomToken();
}

/** Who was asked for, in a form that is as long for nobody as for somebody. */
export function digestOfPerson(userId: string): Promise<string> {
  return sha256(`webauthn person ${userId}`);
}

/**
 * Keeps a challenge: its hash in the database, what it belongs to in the jar.
 *
 * @throws AdapterError.
 */
export async function storeCeremony(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  challenge: string,
  pending: PendingCeremony,
): Promise<void> {
  const expires = new Date((context.now() + PENDING_SIGN_IN_LIFETIME) * 1000);
  await callAdapter(context.config, "createVerificationToken", { ...(await keyOf(provider, challenge)), expires });
  const { suffix, hash } = await pendingSuffix(context, challenge);
  const { webauthnChallenge } = context.cookies;
  const { ceremony, session, person, fields } = pending;
  const sealed = { of: hash, ceremony, session, person, fields: JSON.stringify(fields) };
  const value = await sealCookie(sealed, bindingOf(context, provider), PENDING_SIGN_IN_LIFETIME);
  const name = `${webauthnChallenge.name}.${suffix}`;
  context.jar.set({ name, value, options: { ...webauthnChallenge.options, maxAge: PENDING_SIGN_IN_LIFETIME } });
  dropOldestPending(context, name.length + value.length);
}

/**
 * Takes the ceremony that a challenge belongs to. Whatever comes of it, its cookie is cleared and it cannot be taken again.
 *
 * 1. This browser has a sealed cookie for it, of this provider, not too old; otherwise the database is not asked.
 * 2. The database has its hash, and deletes it: of several that race one wins (safety H220).
 * 3. It was made for this ceremony (safety H219).
 *
 * @throws WebAuthnVerificationError (`challenge`, `replay`), AdapterError.
 */
export async function takeCeremony(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  challenge: string,
  ceremony: Ceremony,
): Promise<PendingCeremony> {
  const { webauthnChallenge } = context.cookies;
  const hash = await sha256(challenge);
  const name = findPendingCookie(context, webauthnChallenge, hash);
  clear(context, name);
  const sealed = await openCookie(context.received.get(name ?? "") ?? "", bindingOf(context, provider));
  if (sealed === null || !isEqualInConstantTime(sealed.of ?? "", hash)) throw refusal(provider, "challenge");
  if (!(await useChallenge(context, provider, challenge))) throw refusal(provider, "replay");
  if (sealed.ceremony !== ceremony) throw refusal(provider, "challenge");
  const { session = "", person = "", fields = "{}" } = sealed;
  return { ceremony, session, person, fields: parseFields(fields) };
}

/** Clears one challenge; all that the browser has when the answer belongs to none of them (safety H218). */
function clear(context: FlowContext, name: string | undefined): void {
  const { webauthnChallenge } = context.cookies;
  const names = name === undefined ? listPendingCookies(context, webauthnChallenge) : [name];
  for (const one of names) {
    context.jar.set({ name: one, value: "", options: { ...webauthnChallenge.options, maxAge: 0 } });
  }
}

async function useChallenge(
  context: FlowContext,
  provider: ResolvedWebAuthnProvider,
  challenge: string,
): Promise<boolean> {
  const key = await keyOf(provider, challenge);
  const record = await callAdapter(context.config, "useVerificationToken", key);
  // An adapter that looked at the identifier alone would take any challenge for the right one (CVE-2022-39263).
  if (!record || record.identifier !== key.identifier || (record.token ?? key.token) !== key.token) return false;
  return new Date(record.expires).getTime() > context.now() * 1000;
}

/** No e-mail address is written like the identifier; the challenge is random, so that its hash needs no secret. */
async function keyOf({ id }: ResolvedWebAuthnProvider, challenge: string) {
  return { identifier: `webauthn:${id}`, token: await sha256Hex(`webauthn challenge ${challenge}`) };
}

function bindingOf(context: FlowContext, provider: ResolvedWebAuthnProvider) {
  const { salt } = context.cookies.webauthnChallenge;
  return { secrets: context.config.secrets, purpose: "challenge", salt, provider: provider.id } as const;
}

/** Sealed by us. */
function parseFields(json: string): TypedFields {
  return JSON.parse(json) as TypedFields;
}
