import {
  type ActionAnswer,
  type ActionRequest,
  type AdapterUser,
  isRecent,
  type RequestTools,
  type User,
} from "@cardea/extend";
import { frameOf, goTo, isFinal, json, refuse } from "./answers.ts";
import { findEnrolment, listRows } from "./credentials.ts";
import { whileThere } from "./kept.ts";
import { forgetTries } from "./limit.ts";
import { tell } from "./notices.ts";
import type { Settings } from "./options.ts";
import { codesPage, enrolPage, type FormError, passkeyPage } from "./pages.ts";
import { renderQrCode } from "./qr-code.ts";
import { renewRecoveryCodes } from "./recovery.ts";
import { factsOf, isInSession, passOn, type Subject } from "./subject.ts";
import { type AddedApp, beginTotp, confirmTotp, reopenTotp, type Setup, takeBackTotp } from "./totp.ts";

/** How long the enrolment lock of a request is held. Concurrent requests do not wait for it. */
const LOCK_SECONDS = 30;

const MAX_LABEL = 64;

/** The maximum age of the proof with which factors are changed (ASVS 7.5.1). */
export const FRESH_SECONDS = 900;

/** Shows the enrolment page to a user who needs a factor and has none. */
export async function showEnrolment(
  settings: Settings,
  action: ActionRequest,
  t: RequestTools,
  subject: Subject,
  error: FormError | null,
): Promise<ActionAnswer> {
  const elsewhere = await refuseEnrolment(settings, action, t, subject);
  if (elsewhere !== null) return elsewhere;
  const given = action.body.get("setup");
  const account = await accountOf(t, subject);
  const issuer = issuerOf(settings, t);
  const former = given === undefined ? null : await reopenTotp(t, subject.userId, given, issuer, account);
  const setup = former ?? (await beginTotp(t, subject.userId, issuer, account));
  return showSetup(settings, action, t, subject, setup, "factor/totp", error);
}

/** Methods in a session's facts that prove a passkey; `pop` is one without user verification. */
const PASSKEYS: readonly string[] = ["passkey", "pop"];

/**
 * A user may enrol only shortly after sign-in, so that a stolen session cannot add a factor (ASVS 7.5.1). If
 * passkeys count as both factors, a user who has one must prove it first: another first factor alone must not be enough
 * to add an app. Then whatever else a change of settings requires. An account or passkey that waits to be added in a session proves
 * nothing about its user, so that the session has to meet all of this.
 *
 * @returns null if the user may enrol.
 */
async function refuseEnrolment(
  { passkeyIsEnough, texts }: Settings,
  action: ActionRequest,
  t: RequestTools,
  subject: Subject,
): Promise<ActionAnswer | null> {
  const isFresh = (time: number) => isRecent(time, FRESH_SECONDS, t.now());
  const { at, f } = (await factsOf(subject)) ?? { at: 0, f: [] };
  if (!isFresh(at)) return signInAgain(action, t);
  const isProven = f.some(([method, time]) => PASSKEYS.includes(method) && isFresh(time));
  const asksPasskey = passkeyIsEnough && !isProven && t.adapterHas("listAuthenticatorsByUserId");
  const passkeys = asksPasskey ? await t.callAdapter("listAuthenticatorsByUserId", subject.userId) : [];
  if (passkeys.length === 0) return refuseChange(action, t, subject);
  const url = `${t.baseUrl}/signin`;
  return action.wantsJson ? json(403, { error: "factor", code: "passkey_required", url }) : passkeyPage(texts, url);
}

/** Requires `maxSignInAge` and the step-up level configured for changes of settings, of a session. A sign-in is happening now. */
async function refuseChange(action: ActionRequest, t: RequestTools, subject: Subject): Promise<ActionAnswer | null> {
  if (!(await isInSession(action, subject))) return null;
  const pending = subject.kind === "pending" ? `?pending=${subject.pending.id}` : "";
  const url = await action.mayChange(`${t.baseUrl}/factor${pending}`, [], "factor");
  if (url === null) return null;
  return action.wantsJson ? json(401, { error: "factor", code: "proof_required", url }) : { kind: "redirect", url };
}

function signInAgain(action: ActionRequest, t: RequestTools): ActionAnswer {
  const url = `${t.baseUrl}/signin`;
  return action.wantsJson ? json(401, { error: "factor", code: "signed_out", url }) : { kind: "redirect", url };
}

/** The page with a QR code; for programs, its data. */
export async function showSetup(
  { texts }: Settings,
  action: ActionRequest,
  t: RequestTools,
  subject: Subject,
  setup: Setup,
  to: "factor/totp" | "factors/totp",
  error: FormError | null,
): Promise<ActionAnswer> {
  const qrCode = await renderQrCode(setup.uri, texts.qrCode);
  if (!action.wantsJson) return enrolPage(texts, await frameOf(action, t, subject), to, { setup, qrCode }, error);
  const pending = subject.kind === "pending" ? { pending: subject.pending.id } : {};
  const enrol = { uri: setup.uri, secret: setup.secret, setup: setup.sealed, qrCode: String(qrCode) };
  return json(error === null ? 200 : 401, {
    ...pending,
    enrol,
    ...(error === null ? {} : { error: "factor", code: error }),
  });
}

/**
 * Enrols a user without a factor, in place of a proof. Of two concurrent requests only one succeeds, so that an
 * attacker who knows the password cannot add a second app alongside the owner's.
 *
 * @throws errors of the store and the adapter.
 */
export async function enrolFor(
  settings: Settings,
  action: ActionRequest,
  t: RequestTools,
  subject: Subject,
): Promise<ActionAnswer> {
  const { userId } = subject;
  const elsewhere = await refuseEnrolment(settings, action, t, subject);
  if (elsewhere !== null) return elsewhere;
  const key = await t.permanentKey("enrol", userId);
  const own = t.randomId();
  if ((await t.store?.set(key, own, { ttl: LOCK_SECONDS, ifAbsent: true })) !== true) {
    return refuse(settings, action, t, subject, "expired");
  }
  try {
    if ((await findEnrolment(settings, t, userId)).isEnrolled)
      return await refuse(settings, action, t, subject, "expired");
    const added = await addApp(action, t, userId);
    if (added === null) {
      await action.failed();
      return await showEnrolment(settings, action, t, subject, "invalid_code");
    }
    const undo = () => takeBackTotp(t, userId, added);
    if (subject.kind === "session" && !(await whileThere(action, subject.session)(undo))) return signInAgain(action, t);
    await tell(settings, t, { kind: "added", factor: "totp", userId, by: "owner" });
    return await finishEnrolment(settings, action, t, subject).catch(async (error: unknown) => {
      if (isFinal(error)) await takeBackFirst(settings, t, userId, added);
      throw error;
    });
  } finally {
    // The lock expires by itself; the enrolment and the new codes do not depend on its release.
    await t.store?.swap(key, own, null, { ttl: LOCK_SECONDS }).catch(() => false);
  }
}

async function finishEnrolment(settings: Settings, action: ActionRequest, t: RequestTools, subject: Subject) {
  const { userId } = subject;
  const codes = (settings.hasRecovery && (await renewRecoveryCodes(t, userId))) || [];
  await forgetTries(t, userId);
  const url = await passOn(settings, action, t, subject, "otp");
  return showCodes(settings, action, codes, url);
}

/**
 * A sign-in that was refused leaves no factor behind: its user may have ended all sessions since it started, because someone
 * knows their password. The codes were never shown.
 */
async function takeBackFirst(settings: Settings, t: RequestTools, userId: string, added: AddedApp): Promise<void> {
  await takeBackTotp(t, userId, added);
  for (const { id, type } of await listRows(t, userId))
    if (type === "recovery") await t.callAdapter("deleteCredential", id);
  await tell(settings, t, { kind: "removed", factor: "totp", userId, by: "owner" });
}

/** Shows new codes once, before the user continues. */
export function showCodes(
  { texts }: Settings,
  action: ActionRequest,
  codes: readonly string[],
  url: string,
): ActionAnswer {
  if (codes.length === 0) return goTo(action, url);
  return action.wantsJson ? json(200, { url, recoveryCodes: codes }) : codesPage(texts, codes, url);
}

/** Adds the authenticator app of a form; null if its code is wrong. */
export function addApp(action: ActionRequest, t: RequestTools, userId: string): Promise<AddedApp | null> {
  const { body } = action;
  const label = body.get("label");
  const characters = typeof label === "string" ? [...label.replace(/\p{C}/gu, "").trim()] : [];
  // Half of a character is not text: some databases reject it.
  const name = characters.slice(0, MAX_LABEL).join("");
  return confirmTotp(t, userId, { setup: body.get("setup"), code: body.get("code"), label: name === "" ? null : name });
}

/** The application's name in authenticator apps: as configured, otherwise its host. */
export function issuerOf({ issuer }: Settings, { origin }: RequestTools): string {
  return issuer || new URL(origin).host;
}

/** The account name in authenticator apps. */
export async function accountOf(t: RequestTools, subject: Subject): Promise<string> {
  const user: User | AdapterUser | null =
    subject.kind === "pending" ? subject.pending.candidate.user : await t.callAdapter("getUser", subject.userId);
  return user?.email || user?.name || subject.userId;
}
