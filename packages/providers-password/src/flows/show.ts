import type { ActionAnswer } from "@cardea/extend";
import { minFor } from "../choose.ts";
import { findPassword } from "../credential.ts";
import { canMail } from "../mail.ts";
import { hintOf, type PasswordPage, renderPage } from "../pages/page.ts";
import { fill } from "../pages/texts.ts";
import { findPending } from "../pending.ts";
import { actionUrl, goTo, ownPage, type Step, toSignIn } from "./answer.ts";
import { isRecent } from "./change.ts";
import { findGrower } from "./grow.ts";
import { isRequestingBrowser } from "./register.ts";
import { findChooser } from "./reset.ts";
import { typedAddress } from "./typed-address.ts";

/** The link back to the sign-in page. Keeps `callbackUrl`. */
function signInLink({ settings: { texts }, t }: Step, callbackUrl: string) {
  return { href: withCallback(`${t.baseUrl}/signin`, callbackUrl), text: texts.backToSignIn };
}

function withCallback(url: string, callbackUrl: string): string {
  return `${url}?${new URLSearchParams({ callbackUrl })}`;
}

/**
 * GET `register/{id}`: the form or, with the token of a link, the confirmation page. A GET does not consume the link,
 * because mail scanners open links.
 */
export async function showRegister(step: Step): Promise<ActionAnswer> {
  const own = ownPage(step, "register");
  if (own !== null) return own;
  const { settings, action, t } = step;
  const { texts } = settings;
  const show = (page: Parameters<typeof renderPage>[2]) => renderPage(action, settings, page);
  const callbackUrl = await action.redirectTo(action.query.get("callbackUrl"));
  const link = signInLink(step, callbackUrl);
  if (action.query.get("step") === "sent") return show({ title: texts.sentTitle, lead: texts.sentRegister, link });
  const url = actionUrl(step, "register");
  const token = action.query.get("token");
  if (token === null) {
    const isOff = settings.registerAge === null || !canMail(settings);
    if (isOff) return show({ title: texts.registerTitle, lead: texts.errors.unavailable, link });
    const hint = hintOf(settings, await minFor(settings, t, {}));
    const fields = [
      { name: "email", label: texts.email, value: await typedAddress(step) },
      { name: "password", label: texts.password, hint },
    ] as const;
    const form = { action: url, hidden: { callbackUrl }, fields, submit: texts.registerSubmit };
    return show({ title: texts.registerTitle, form, link });
  }
  const found = await findPending(t, "register", token);
  const again = { href: withCallback(url, callbackUrl), text: texts.registerSubmit };
  if (found === null) return show({ title: texts.confirmTitle, lead: texts.errors["invalid-link"], link: again });
  const { email } = found.pending;
  const hidden = { token };
  if (await isRequestingBrowser(step, found)) {
    const form = { action: url, hidden, fields: [], submit: texts.confirmSubmit };
    return show({ title: texts.confirmTitle, lead: fill(texts.confirmLead, { email }), form });
  }
  const hint = hintOf(settings, await minFor(settings, t, { email }));
  const fields = [{ name: "password", label: texts.newPassword, hint }] as const;
  const form = { action: url, hidden, fields, submit: texts.registerSubmit, username: email };
  return show({ title: texts.confirmTitle, lead: texts.otherBrowser, form });
}

/**
 * GET `reset/{id}`: the request form; with the token of a link, the page with its button; after the proof, the form for
 * the new password.
 */
export async function showReset(step: Step): Promise<ActionAnswer> {
  const own = ownPage(step, "reset");
  if (own !== null) return own;
  const { settings, action, t } = step;
  const { texts } = settings;
  const show = (page: Parameters<typeof renderPage>[2]) => renderPage(action, settings, page);
  const url = actionUrl(step, "reset");
  const callbackUrl = await action.redirectTo(action.query.get("callbackUrl"));
  const link = signInLink(step, callbackUrl);
  const token = action.query.get("token");
  switch (action.query.get("step")) {
    case "sent":
      return show({ title: texts.sentTitle, lead: texts.sentReset, link });
    case "choose": {
      const chooser = await findChooser(step);
      const again = { href: withCallback(url, callbackUrl), text: texts.resetSubmit };
      if (chooser === null) return show({ title: texts.chooseTitle, lead: texts.errors["invalid-link"], link: again });
      const hint = hintOf(settings, await minFor(settings, t, chooser.user));
      const fields = [{ name: "password", label: texts.newPassword, hint }] as const;
      const username = chooser.user.email ?? undefined;
      return show({ title: texts.chooseTitle, form: { action: url, fields, submit: texts.chooseSubmit, username } });
    }
  }
  if (token !== null) {
    const form = { action: url, hidden: { token }, fields: [], submit: texts.resetContinue };
    return show({ title: texts.resetTitle, form });
  }
  if (!canMail(settings)) return show({ title: texts.resetTitle, lead: texts.errors.unavailable, link });
  const fields = [{ name: "email", label: texts.email, value: await typedAddress(step) }] as const;
  const form = { action: url, hidden: { callbackUrl }, fields, submit: texts.resetSubmit };
  return show({ title: texts.resetTitle, lead: texts.resetLead, form, link });
}

/** GET `password`: the form to change or add a password. */
export async function showPassword(step: Step): Promise<ActionAnswer> {
  const own = ownPage(step, "password");
  if (own !== null) return own;
  const { settings, action, t } = step;
  const { texts } = settings;
  if (action.query.has("pending")) return showGrow(step);
  const session = await action.session();
  if (action.query.get("step") === "done") return showDone(step, session !== null);
  const user = session && (await t.callAdapter("getUser", session.userId));
  if (!session || !user) return toSignIn(step);
  if (action.query.get("step") === "confirm") return showConfirm(step, user.email ?? undefined);
  const has = (await findPassword(t, user.id)) !== null;
  const elsewhere = has ? null : await action.mayChange(actionUrl(step, "password"), [], "password");
  if (elsewhere !== null) return goTo(action, elsewhere);
  if (!has && !(await isRecent(step, session))) return toSignIn(step);
  const hint = hintOf(settings, await minFor(settings, t, user));
  const current = { name: "current", label: texts.currentPassword } as const;
  const next = { name: "password", label: texts.newPassword, hint } as const;
  const form = {
    action: actionUrl(step, "password", has ? "change" : "add"),
    fields: has ? [current, next] : [next],
    submit: texts.chooseSubmit,
    username: user.email ?? undefined,
  };
  return renderPage(action, settings, { title: has ? texts.changeTitle : texts.addTitle, form, ...accountLink(step) });
}

/** Back to the account page, where there is one. */
function accountLink({ settings, t }: Step): Pick<PasswordPage, "link"> {
  return t.hasExtension("account") ? { link: { href: `${t.baseUrl}/account`, text: settings.texts.toAccount } } : {};
}

/**
 * The page shown after a password was saved, which reports the ended sessions. Without @cardea/sessions, all database
 * sessions end: this one as well if the adapter cannot list them.
 */
async function showDone(step: Step, isSignedIn: boolean): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  const { texts } = settings;
  const title = texts.doneTitle;
  const areEnded = t.strategy === "database" && t.adapterHas("deleteSessionsByUserId");
  const lead = t.hasExtension("sessions") || areEnded ? texts.done : texts.doneOnly;
  if (isSignedIn) return renderPage(action, settings, { title, lead, ...accountLink(step) });
  const link = signInLink(step, await action.redirectTo(action.query.get("callbackUrl")));
  return renderPage(action, settings, { title, lead: texts.doneEverywhere, link });
}

/** The form for the longer password that a pending sign-in requires. */
async function showGrow(step: Step): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  const { texts } = settings;
  const grower = await findGrower(step);
  if (grower === null) return toSignIn(step);
  const { pending, user } = grower;
  const hint = hintOf(settings, await minFor(settings, t, user));
  const form = {
    action: actionUrl(step, "password", "grow"),
    hidden: { pending: pending.id },
    fields: [{ name: "password", label: texts.newPassword, hint }],
    submit: texts.chooseSubmit,
    username: user.email ?? undefined,
  } as const;
  return renderPage(action, settings, { title: texts.growTitle, lead: texts.growLead, form });
}

/** The form in which a signed-in user enters their password again. */
async function showConfirm(step: Step, username: string | undefined): Promise<ActionAnswer> {
  const { settings, action } = step;
  const { texts } = settings;
  const callbackUrl = await action.redirectTo(action.query.get("callbackUrl"));
  const form = {
    action: actionUrl(step, "password", "confirm"),
    hidden: { callbackUrl },
    fields: [{ name: "password", label: texts.password, isCurrent: true }],
    submit: texts.proveSubmit,
    username,
  } as const;
  return renderPage(action, settings, { title: texts.proveTitle, form });
}
