import { type ActionAnswer, components, html, isSameId } from "@cardea/extend";
import { fieldOf, messagePage, type Step } from "./answers.ts";
import { applyChange, confirmChange, dropChange, findChange, restoreChange } from "./change-address.ts";
import { type FoundLink, findLink, restoreLink, takeLink } from "./links.ts";
import { fill } from "./texts.ts";
import { isUndoable, undoChange } from "./undo-change.ts";

/** GET `account/confirm`: the page of a link. Nothing happens before its button is used, so that mail scanners use nothing up. */
export async function showLink(step: Step): Promise<ActionAnswer> {
  const { action, settings, t } = step;
  const { texts } = settings;
  const token = action.query.get("token") ?? "";
  const found = await findLink(t, token, t.origin);
  if (found === null) return expired(step);
  const { link } = found;
  if (link.kind === "undo") {
    if (!(await isUndoable(t, link))) return expired(step);
    const lead = fill(texts.undoLead, { address: link.from });
    return linkPage(step, { token, path: "undo", title: texts.undoTitle, lead, submit: texts.undoSubmit });
  }
  const change = await findChange(t, link.userId);
  const isPending = change?.id === link.change;
  const address = change?.email ?? "";
  if (link.kind === "confirm") {
    if (!isPending) return expired(step);
    const lead = fill(texts.confirmLead, { address });
    return linkPage(step, { token, path: "confirm", title: texts.confirmTitle, lead, submit: texts.confirmSubmit });
  }
  const lead = fill(texts.approveLead, { address: isPending ? address : "…" });
  const submit = isPending ? texts.approveSubmit : null;
  return linkPage(step, { token, path: "confirm", title: texts.approveTitle, lead, submit, canDeny: true });
}

interface LinkPage {
  readonly token: string;
  readonly path: "confirm" | "undo";
  readonly title: string;
  readonly lead: string;
  /** Null if it can only be denied. */
  readonly submit: string | null;
  readonly canDeny?: boolean;
}

async function linkPage(
  step: Step,
  { token, path, title, lead, submit, canDeny = false }: LinkPage,
): Promise<ActionAnswer> {
  const { action, settings, t } = step;
  if (action.wantsJson)
    return { kind: "json", status: 200, body: { path: `account/${path}`, canDeny, canConfirm: submit !== null } };
  const form = components.form({
    action: `${t.baseUrl}/account/${path}`,
    hidden: { csrfToken: await action.csrfToken(), token },
    content: [
      submit === null ? null : components.button({ label: submit, kind: "main", name: "step", value: "confirm" }),
      canDeny
        ? components.button({ label: settings.texts.denySubmit, kind: "danger", name: "step", value: "deny" })
        : null,
    ],
  });
  return { kind: "page", status: 200, title, main: html`${components.lead(lead)}${form}` };
}

function expired(step: Step): ActionAnswer {
  const { texts } = step.settings;
  const link = { href: `${step.t.baseUrl}/signin`, label: texts.signIn };
  return messagePage(step, { title: texts.expiredTitle, lead: texts.expiredLead, link, status: 404 });
}

function done(step: Step, title: string, lead: string): ActionAnswer {
  const link = { href: `${step.t.baseUrl}/account`, label: step.settings.texts.back };
  return messagePage(step, { title, lead, link });
}

/**
 * POST `account/{confirm|undo}` with the token of a link, in any browser. The link is consumed first, and restored after an outage.
 *
 * @throws errors of the store and the adapter.
 */
export async function redeem(step: Step): Promise<ActionAnswer> {
  const { action, t } = step;
  const token = fieldOf(step, "token");
  const found = await findLink(t, token, t.origin);
  const isUndo = action.segment === "undo";
  if (found === null || (found.link.kind === "undo") !== isUndo) return expired(step);
  if (!(await takeLink(t, token, found))) return expired(step);
  try {
    if (isUndo) return await undo(step, found);
    return fieldOf(step, "step") === "deny" && found.link.kind === "approve"
      ? await deny(step, found)
      : await confirm(step, found);
  } catch (error) {
    await restoreLink(t, token, found);
    throw error;
  }
}

async function undo(step: Step, { link }: FoundLink): Promise<ActionAnswer> {
  const { action, settings, t } = step;
  const { texts } = settings;
  const outcome = await undoChange(settings, t, { link, baseUrl: t.baseUrl });
  if (outcome === "void") return expired(step);
  const session = await action.session();
  if (session !== null && isSameId(session.userId, link.userId)) action.clearSession();
  if (outcome === "conflict") return done(step, texts.undoConflictTitle, texts.undoConflictLead);
  const href = `${t.baseUrl}/signin`;
  return messagePage(step, { title: texts.undoneTitle, lead: texts.undoneLead, link: { href, label: texts.signIn } });
}

/** "This was not me": the change ends, and with it everything that stands for an earlier proof of the user. */
async function deny(step: Step, { link }: FoundLink): Promise<ActionAnswer> {
  const { settings, t } = step;
  const { texts } = settings;
  if ((await findChange(t, link.userId))?.id === link.change) await dropChange(t, link.userId);
  await t.endSessions(link.userId, { by: "owner", reason: "change of address denied" });
  const href = `${t.baseUrl}/signin`;
  return messagePage(step, { title: texts.deniedTitle, lead: texts.deniedLead, link: { href, label: texts.signIn } });
}

async function confirm(step: Step, found: FoundLink): Promise<ActionAnswer> {
  const { action, settings, t } = step;
  const { texts } = settings;
  const { userId } = found.link;
  const confirmed = await confirmChange(t, found);
  if (confirmed.kind === "void") return expired(step);
  if (confirmed.kind === "waiting") return done(step, texts.waitingTitle, texts.waitingLead);
  const { change } = confirmed;
  try {
    if (!(await applyChange(settings, t, { userId, change, baseUrl: t.baseUrl }))) return expired(step);
  } catch (error) {
    await restoreChange(t, userId, change);
    throw error;
  }
  // All that stands for an earlier proof ends (docs/session-control.md#what-each-event-ends), but for the session in this browser.
  const session = await action.session();
  const own = session !== null && isSameId(session.userId, userId) ? session : null;
  const facts = await t.endSessions(userId, {
    by: change.by,
    reason: "address changed",
    ...(own && { spared: own.sid }),
  });
  if (own !== null) await action.renewSession(facts);
  return done(step, texts.changedTitle, fill(texts.changedLead, { address: change.email }));
}
