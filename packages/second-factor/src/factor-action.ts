import type { ActionAnswer, ActionRequest, ActionSpec, RequestTools } from "@cardea/extend";
import { ACTION } from "./admit.ts";
import { frameOf, goTo, isFinal, json, ownPage, refuse, withOutage } from "./answers.ts";
import { findEnrolment } from "./credentials.ts";
import { enrolFor, showEnrolment } from "./enrol.ts";
import { forgetTries, mayTry } from "./limit.ts";
import { tell } from "./notices.ts";
import type { Factor, Settings } from "./options.ts";
import { expiredPage, type FormError, factorPage, fewCodesPage } from "./pages.ts";
import { checkRecoveryCode, FEW_CODES, restoreRecoveryCode } from "./recovery.ts";
import { findSubject, passOn, type Subject, tryOf } from "./subject.ts";
import { checkTotp } from "./totp.ts";

/**
 * GET `factor` and POST `factor/{totp|passkey|recovery}`: requests and checks a second factor. GET `factor/passkey`:
 * the options for passkey authentication.
 */
export function factorActions(settings: Settings) {
  const show: ActionSpec = {
    csrf: "none",
    segment: "optional",
    answers: "page",
    head: "skip",
    run: (action, t) => withOutage(settings, action, t, () => showFactor(settings, action, t)),
  };
  const take: ActionSpec = {
    csrf: "required",
    segment: "required",
    answers: "page",
    head: "skip",
    run: (action, t) => withOutage(settings, action, t, () => takeFactor(settings, action, t)),
  };
  return { [`GET ${ACTION}`]: show, [`POST ${ACTION}`]: take } as const;
}

async function showFactor(settings: Settings, action: ActionRequest, t: RequestTools): Promise<ActionAnswer> {
  const subject = await findSubject(action);
  if (subject === null) return nothingWaits(settings, action, t);
  const error = parseError(action.query.get("error"));
  if (action.segment !== undefined) return showChallenge(settings, action, t, subject);
  if (!(await findEnrolment(settings, t, subject.userId)).isEnrolled)
    return showEnrolment(settings, action, t, subject, error);
  if (action.wantsJson) return json(200, describe(settings, subject));
  const own = ownPage(settings, action, subject, error);
  return own ?? factorPage(await frameOf(action, t, subject), settings, error, t);
}

async function showChallenge(
  { hasPasskey }: Settings,
  { segment }: ActionRequest,
  t: RequestTools,
  { userId }: Subject,
): Promise<ActionAnswer> {
  const question = hasPasskey && segment === "passkey" ? await t.passkeys?.challenge({ userId }) : null;
  return question ? json(200, question) : json(404, { error: "factor", code: "unknown_method" });
}

/** Identical for all users, whatever they have enrolled. */
function describe(settings: Settings, subject: Subject) {
  const pending = subject.kind === "pending" ? { pending: subject.pending.id } : {};
  const methods = settings.factors.map(({ kind }) => kind);
  return { ...pending, methods, rememberDays: settings.rememberDays };
}

async function takeFactor(settings: Settings, action: ActionRequest, t: RequestTools): Promise<ActionAnswer> {
  const subject = await findSubject(action);
  if (subject === null) return nothingWaits(settings, action, t);
  const kind = settings.factors.find((one) => one.kind === action.segment)?.kind;
  if (kind === undefined) return json(404, { error: "factor", code: "unknown_method" });
  const verdict = await mayTry(action, t, tryOf(subject));
  if (!verdict.allow) return refuse(settings, action, t, subject, "too_many_attempts", verdict);
  if (action.body.get("step") === "confirm") return enrolFor(settings, action, t, subject);
  return TAKE[kind](settings, action, t, subject);
}

type Take = (settings: Settings, action: ActionRequest, t: RequestTools, subject: Subject) => Promise<ActionAnswer>;

const TAKE: Readonly<Record<Factor["kind"], Take>> = {
  totp: takeCode,
  recovery: takeRecovery,
  passkey: takePasskey,
};

async function takeCode(settings: Settings, action: ActionRequest, t: RequestTools, subject: Subject) {
  const isRight = await checkTotp(t, subject.userId, action.body.get("code"));
  if (!isRight) return wrong(settings, action, t, subject, "totp");
  await forgetTries(t, subject.userId);
  return goTo(action, await passOn(settings, action, t, subject, "otp"));
}

/** A database outage does not count as a wrong passkey. */
async function takePasskey(settings: Settings, action: ActionRequest, t: RequestTools, subject: Subject) {
  const { userId } = subject;
  try {
    const proof = await t.passkeys?.verify({ userId }, action.body);
    if (proof?.userVerified !== true) return await wrong(settings, action, t, subject, "passkey");
  } catch (error) {
    if (!REFUSALS.includes(Object(error).type)) throw error;
    return wrong(settings, action, t, subject, "passkey");
  }
  await forgetTries(t, userId);
  return goTo(action, await passOn(settings, action, t, subject, "passkey"));
}

const REFUSALS: readonly unknown[] = ["WebAuthnVerificationError", "InvalidRequest"];

async function takeRecovery(settings: Settings, action: ActionRequest, t: RequestTools, subject: Subject) {
  const used = await checkRecoveryCode(t, subject.userId, action.body.get("code"));
  if (used === null) return wrong(settings, action, t, subject, "recovery");
  const goOn = async () => {
    await forgetTries(t, subject.userId);
    return passOn(settings, action, t, subject, "recovery");
  };
  const url = await goOn().catch(async (error: unknown) => {
    if (!isFinal(error)) await restoreRecoveryCode(t, subject.userId, used);
    throw error;
  });
  const { left } = used;
  if (left > FEW_CODES) return goTo(action, url);
  await tell(settings, t, { kind: "codes-low", factor: "recovery", userId: subject.userId, by: "owner" });
  return action.wantsJson
    ? json(200, { url, recoveryCodesLeft: left })
    : fewCodesPage(settings.texts, left, `${t.baseUrl}/factors`, url);
}

async function wrong(
  settings: Settings,
  action: ActionRequest,
  t: RequestTools,
  subject: Subject,
  kind: Factor["kind"],
) {
  await action.failed();
  t.note({ kind: "factor.refused", userId: subject.userId, factor: kind });
  return refuse(settings, action, t, subject, "invalid_code", { kind });
}

function nothingWaits({ texts }: Settings, action: ActionRequest, t: RequestTools): ActionAnswer {
  const url = `${t.baseUrl}/signin`;
  return action.wantsJson ? json(403, { error: "factor", code: "expired", url }) : expiredPage(texts, url);
}

function parseError(error: string | null): FormError | null {
  return error === "invalid_code" || error === "too_many_attempts" || error === "expired" ? error : null;
}
