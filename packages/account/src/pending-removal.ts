import { type ActionAnswer, components, html, type PendingSignIn } from "@cardea/extend";
import { fieldOf, messagePage, type Step, toSignIn } from "./answers.ts";
import { cancelRemoval, findRemoval } from "./remove-user.ts";
import { sendLater } from "./send.ts";
import { dayOf, fill } from "./texts.ts";

/** The question of a sign-in whose user is to be deleted: keep the account, or go on with the deletion. */
export async function askPending(step: Step, pending: PendingSignIn): Promise<ActionAnswer> {
  const { action, settings, t } = step;
  const { texts } = settings;
  const removal = await findRemoval(t, String(pending.candidate.user.id));
  // Cancelled elsewhere in the meantime: the sign-in goes on.
  if (removal === null) return { kind: "redirect", url: await pending.complete({}) };
  const due = new Date(1000 * removal.due);
  if (action.wantsJson) return { kind: "json", status: 200, body: { deletion: due, pending: pending.id } };
  const hidden = { csrfToken: await action.csrfToken(), pending: pending.id };
  const form = components.form({
    action: `${t.baseUrl}/account/cancel`,
    hidden,
    content: [
      components.button({ label: texts.keepSubmit, kind: "main", name: "step", value: "keep" }),
      components.button({ label: texts.leaveSubmit, name: "step", value: "leave" }),
    ],
  });
  const main = html`${components.lead(fill(texts.keepLead, { date: dayOf(due, t.lang) }))}${form}`;
  return { kind: "page", status: 200, title: texts.keepTitle, main };
}

/** The answer to that question. The sign-in has proven who the user is; extensions after this one may ask for more. */
export async function answerPending(step: Step): Promise<ActionAnswer> {
  const { action, settings, t } = step;
  const pending = await action.pendingSignIn();
  if (pending === null) return toSignIn(step);
  const { user } = pending.candidate;
  const userId = String(user.id);
  if (fieldOf(step, "step") === "leave") {
    await pending.cancel();
    const removal = await findRemoval(t, userId);
    const { texts } = settings;
    const date = dayOf(new Date(1000 * (removal?.due ?? t.now())), t.lang);
    const link = { href: t.origin, label: texts.back };
    return messagePage(step, { title: texts.removedTitle, lead: fill(texts.removedLead, { date }), link });
  }
  const isCancelled = await cancelRemoval(t, userId, "owner");
  const url = await pending.complete({});
  if (isCancelled) sendLater(settings, t, { kind: "deletion-cancelled", to: user.email ?? null, baseUrl: t.baseUrl });
  return action.wantsJson ? { kind: "json", status: 200, body: { url } } : { kind: "redirect", url };
}
