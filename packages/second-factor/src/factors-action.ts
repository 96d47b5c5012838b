import {
  type ActionAnswer,
  type ActionRequest,
  type ActionSpec,
  isRecent,
  type OpenedSession,
  type RequestTools,
} from "@cardea/extend";
import { ACTION, PROOFS } from "./admit.ts";
import { frameOf, goTo, json, withOutage } from "./answers.ts";
import { appsOf, type Enrolment, findEnrolment } from "./credentials.ts";
import { accountOf, addApp, FRESH_SECONDS, issuerOf, showCodes, showSetup } from "./enrol.ts";
import { factorsPage } from "./factors-page.ts";
import { whileThere } from "./kept.ts";
import { mayTry } from "./limit.ts";
import { tell } from "./notices.ts";
import { endProofs } from "./operations.ts";
import type { Settings } from "./options.ts";
import { codesLeft, renewRecoveryCodes } from "./recovery.ts";
import { type Subject, tryOf } from "./subject.ts";
import { beginTotp, reopenTotp, takeBackTotp } from "./totp.ts";

/** The page on which users manage their factors. */
const LIST = "factors";

/** GET `factors` and POST `factors/{totp|recovery}`: shows and changes a user's factors. */
export function factorsActions(settings: Settings) {
  const show: ActionSpec = {
    csrf: "none",
    segment: "none",
    answers: "page",
    head: "skip",
    run: (action, t) => withOutage(settings, action, t, () => showFactors(settings, action, t)),
  };
  const change: ActionSpec = {
    csrf: "required",
    segment: "required",
    answers: "page",
    head: "skip",
    run: (action, t) => withOutage(settings, action, t, () => changeFactors(settings, action, t)),
  };
  return { [`GET ${LIST}`]: show, [`POST ${LIST}`]: change } as const;
}

async function showFactors(settings: Settings, action: ActionRequest, t: RequestTools): Promise<ActionAnswer> {
  const session = await action.session();
  if (session === null) return signIn(action, t);
  const enrolment = await findEnrolment(settings, t, session.userId);
  const elsewhere = await refuseAct(settings, action, t, { session, enrolment });
  if (elsewhere !== null) return elsewhere;
  const { rows, hasPasskey } = enrolment;
  const list = appsOf(rows).map(({ id, label, createdAt, usedAt }) => ({
    id,
    label: label ?? null,
    createdAt,
    usedAt: usedAt ?? null,
  }));
  const left = settings.hasRecovery ? codesLeft(rows) : null;
  const passkey = settings.hasPasskey ? { passkey: hasPasskey } : {};
  if (action.wantsJson) return json(200, { totp: list, ...passkey, recoveryCodesLeft: left });
  return factorsPage(settings.texts, await frameOf(action, t, null), list, {
    left,
    hasPasskey,
    hasAccount: t.hasExtension("account"),
  });
}

async function changeFactors(settings: Settings, action: ActionRequest, t: RequestTools): Promise<ActionAnswer> {
  const session = await action.session();
  if (session === null) return signIn(action, t);
  const enrolment = await findEnrolment(settings, t, session.userId);
  const change = CHANGES[`${action.segment} ${String(action.body.get("step"))}`];
  const elsewhere = await refuseAct(settings, action, t, { session, enrolment, adds: change?.adds });
  if (elsewhere !== null) return elsewhere;
  if (change === undefined) return json(404, { error: "factors", code: "unknown_step" });
  return change.run(settings, action, t, { session, enrolment });
}

interface Owner {
  readonly session: OpenedSession;
  readonly enrolment: Enrolment;
}

interface Change {
  readonly adds?: "factor";
  readonly run: (settings: Settings, action: ActionRequest, t: RequestTools, owner: Owner) => Promise<ActionAnswer>;
}

const CHANGES: Readonly<Record<string, Change | undefined>> = {
  "totp begin": { adds: "factor", run: begin },
  "totp confirm": { adds: "factor", run: confirm },
  "totp remove": { run: remove },
  "recovery regenerate": { run: regenerate },
};

async function begin(settings: Settings, action: ActionRequest, t: RequestTools, { session }: Owner) {
  const subject = subjectOf(session);
  const setup = await beginTotp(t, session.userId, issuerOf(settings, t), await accountOf(t, subject));
  return showSetup(settings, action, t, subject, setup, "factors/totp", null);
}

async function confirm(settings: Settings, action: ActionRequest, t: RequestTools, { session, enrolment }: Owner) {
  const { userId } = session;
  const subject = subjectOf(session);
  const verdict = await mayTry(action, t, tryOf(subject));
  const added = verdict.allow ? await addApp(action, t, userId) : null;
  if (added === null) {
    const issuer = issuerOf(settings, t);
    const account = await accountOf(t, subject);
    const former = await reopenTotp(t, userId, action.body.get("setup"), issuer, account);
    const setup = former ?? (await beginTotp(t, userId, issuer, account));
    return showSetup(
      settings,
      action,
      t,
      subject,
      setup,
      "factors/totp",
      verdict.allow ? "invalid_code" : "too_many_attempts",
    );
  }
  const keep = whileThere(action, session);
  if (!(await keep(() => takeBackTotp(t, userId, added)))) return signIn(action, t);
  await tell(settings, t, { kind: "added", factor: "totp", userId, by: "owner" });
  const isFirst = appsOf(enrolment.rows).length === 0;
  const codes = (settings.hasRecovery && isFirst && (await renewRecoveryCodes(t, userId, keep))) || [];
  await action.renewSession({ f: [["otp", t.now()]] });
  return showCodes(settings, action, codes, `${t.baseUrl}/${LIST}`);
}

async function remove(settings: Settings, action: ActionRequest, t: RequestTools, { session, enrolment }: Owner) {
  const { userId } = session;
  const { rows, hasPasskey } = enrolment;
  const apps = appsOf(rows);
  const row = apps.find(({ id }) => id === action.body.get("id"));
  if (row === undefined) return json(404, { error: "factors", code: "unknown_factor" });
  await t.callAdapter("deleteCredential", row.id);
  // Recovery codes are useless without a factor, and a new app comes with new ones.
  if (apps.length === 1 && !hasPasskey)
    for (const { id, type } of rows) if (type === "recovery") await t.callAdapter("deleteCredential", id);
  await tell(settings, t, { kind: "removed", factor: "totp", userId, by: "owner" });
  // Proofs that the app gave end, but for this session, which has just proven a factor.
  await action.renewSession(await endProofs(t, userId, { by: "owner", reason: "factor removed", spared: session.sid }));
  return goTo(action, `${t.baseUrl}/${LIST}`);
}

async function regenerate(settings: Settings, action: ActionRequest, t: RequestTools, { session, enrolment }: Owner) {
  if (!settings.hasRecovery || !enrolment.isEnrolled) return json(404, { error: "factors", code: "unknown_factor" });
  const codes = await renewRecoveryCodes(t, session.userId, whileThere(action, session));
  if (codes === null && (await action.session())?.sid !== session.sid) return signIn(action, t);
  // The codes of the other request count. Who sent both sees the list, and makes new ones.
  if (codes === null)
    return action.wantsJson ? json(409, { error: "factors", code: "busy" }) : goTo(action, `${t.baseUrl}/${LIST}`);
  await tell(settings, t, { kind: "added", factor: "recovery", userId: session.userId, by: "owner" });
  return showCodes(settings, action, codes, `${t.baseUrl}/${LIST}`);
}

const subjectOf = (session: OpenedSession): Subject => ({ kind: "session", userId: session.userId, session });

/**
 * Whether a session may view and change factors: it needs a recent proof of a factor or, if the user has none, a recent
 * sign-in, and what `mayChange` requires: `maxSignInAge`, and the step-up level for changes (ASVS 7.5.1). A stolen session alone is not enough.
 *
 * @returns null if it may.
 */
async function refuseAct(
  settings: Settings,
  action: ActionRequest,
  t: RequestTools,
  { session, enrolment: { isEnrolled }, adds }: Owner & { readonly adds?: "factor" | undefined },
): Promise<ActionAnswer | null> {
  const list = `${t.baseUrl}/${LIST}`;
  const { f, at } = (await session.facts()) ?? { f: [], at: 0 };
  const isFresh = (time: number) => isRecent(time, FRESH_SECONDS, t.now());
  const countsPasskey = settings.passkeyIsEnough || settings.hasPasskey;
  const isProof = (method: string) => PROOFS.includes(method) || (countsPasskey && method === "passkey");
  const mayAct = isEnrolled ? f.some(([method, time]) => isProof(method) && isFresh(time)) : isFresh(at);
  const own = `${t.baseUrl}/${isEnrolled ? ACTION : "signin"}?${new URLSearchParams({ callbackUrl: list })}`;
  const url = mayAct ? await action.mayChange(list, [], adds) : own;
  if (url === null) return null;
  return action.wantsJson ? json(401, { error: "factors", code: "proof_required", url }) : { kind: "redirect", url };
}

function signIn(action: ActionRequest, t: RequestTools): ActionAnswer {
  const url = `${t.baseUrl}/signin?callbackUrl=${encodeURIComponent(`${t.baseUrl}/${LIST}`)}`;
  return action.wantsJson ? json(401, { error: "factors", code: "signed_out", url }) : { kind: "redirect", url };
}
