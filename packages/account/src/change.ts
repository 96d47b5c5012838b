import { type ActionAnswer, components, html, parseEmailAddress } from "@cardea/extend";
import {
  accountUrl,
  type ErrorCode,
  fieldOf,
  findOwner,
  MAX_PASSKEY_NAME,
  messagePage,
  NOT_FOUND,
  type Owner,
  refuseChange,
  type Step,
  toAccount,
  toSignIn,
} from "./answers.ts";
import { dropChange, hasConsent, requestChange } from "./change-address.ts";
import { redeem } from "./confirm.ts";
import { endSessionsOf } from "./end-method-sessions.ts";
import { listPasskeys, type RemovedMethod, removeMethod } from "./methods.ts";
import type { AccountSection } from "./options.ts";
import { answerPending } from "./pending-removal.ts";
import { cancelRemoval, findRemoval, requestRemoval } from "./remove-user.ts";
import { mayMail, sendLater } from "./send.ts";
import { dayOf, fill } from "./texts.ts";

/** A change by a signed-in user, with the section that it belongs to. */
interface Change {
  readonly section: AccountSection | "any";
  /** Whether it is allowed while the user is to be deleted. */
  readonly whileRemoved?: true;
  readonly adds?: "account" | "address";
  readonly run: (step: Step, owner: Owner) => Promise<ActionAnswer>;
}

const CHANGES: Readonly<Record<string, Change | undefined>> = {
  profile: { section: "profile", run: changeProfile },
  email: { section: "profile", adds: "address", run: changeEmail },
  link: { section: "sign-in", adds: "account", run: link },
  unlink: { section: "any", run: unlink },
  rename: { section: "passkeys", run: renamePasskey },
  remove: { section: "data", whileRemoved: true, run: remove },
  cancel: { section: "any", whileRemoved: true, run: cancel },
};

/**
 * POST `account/{profile|email|link|unlink|rename|remove|cancel}`, and `account/{confirm|undo}` with a link.
 *
 * 1. Links of messages work in any browser. A sign-in that waits for the answer of its user has no session.
 * 2. Any other change needs a session, and a recent proof.
 * 3. A user who is to be deleted changes nothing but that.
 */
export async function change(step: Step): Promise<ActionAnswer> {
  const { action, settings, t } = step;
  const { segment } = action;
  if (segment === "confirm" || segment === "undo") return redeem(step);
  if (segment === "cancel" && action.body.has("pending")) return answerPending(step);
  const wanted = segment !== undefined && Object.hasOwn(CHANGES, segment) ? CHANGES[segment] : undefined;
  if (wanted === undefined || (wanted.section !== "any" && !settings.sections.includes(wanted.section)))
    return NOT_FOUND;
  const owner = await findOwner(step);
  if (owner === null) return toSignIn(step);
  const refused = await refuseChange(step, owner, wanted.adds);
  if (refused !== null) return refused;
  if (wanted.whileRemoved !== true && (await findRemoval(t, String(owner.user.id))) !== null)
    return toAccount(step, { error: "pending" });
  return wanted.run(step, owner);
}

/** Longer names are shown nowhere in full. */
const MAX_NAME = 200;

/** A submitted name, empty to remove it; null if it is invalid, or missing, which must not remove one. */
function readName({ action }: Step, max: number): string | null {
  const name = action.body.get("name");
  if (typeof name !== "string") return null;
  const text = name.normalize("NFC").trim();
  return text.length > max || /\p{Cc}/u.test(text) ? null : text;
}

async function changeProfile(step: Step, { user }: Owner): Promise<ActionAnswer> {
  const { settings, t } = step;
  if (!t.adapterHas("updateUser")) return toAccount(step, { error: "unavailable" });
  const name = readName(step, MAX_NAME);
  if (name === null) return toAccount(step, { error: "invalid-name" });
  await t.callAdapter("updateUser", { id: user.id, name: name === "" ? null : name });
  t.note({ kind: "profile.changed", userId: user.id, by: "owner" });
  sendLater(settings, t, { kind: "profile-changed", to: user.email, baseUrl: t.baseUrl });
  return toAccount(step, { done: "profile" });
}

/**
 * Sends the links for a change of address. The answer is the same whether or not the address belongs to another account.
 *
 * @throws errors of the store and the adapter.
 */
async function changeEmail(step: Step, { user, session }: Owner): Promise<ActionAnswer> {
  const { settings, t } = step;
  const email = parseEmailAddress(fieldOf(step, "email"));
  if (settings.mail === undefined || !t.adapterHas("updateUser", "getUserByEmail"))
    return toAccount(step, { error: "unavailable" });
  if (email === null || email === user.email) return toAccount(step, { error: "invalid-address" });
  if (!(await mayMail(t, String(user.id), email))) return toAccount(step, { error: "too-many" });
  // A user without an address has no mailbox to ask: the recent sign-in that every change needs stands for it.
  const approved = !user.email || hasConsent(await session.facts(), t.now());
  await requestChange(settings, t, { user, email, approved, by: "owner", baseUrl: t.baseUrl });
  return toAccount(step, { done: "email" });
}

/** The page that starts a sign-in at another provider, whose account core adds to the user of this session. */
async function link(step: Step): Promise<ActionAnswer> {
  const { action, settings, t } = step;
  const method = t.signInMethods.find(({ id, kind }) => id === fieldOf(step, "provider") && kind === "oauth");
  if (method === undefined) return toAccount(step, { error: "unavailable" });
  const url = `${t.baseUrl}/signin/${encodeURIComponent(method.id)}`;
  if (action.wantsJson) return { kind: "json", status: 200, body: { url, callbackUrl: accountUrl(t) } };
  const { texts } = settings;
  const name = { provider: method.name };
  const start = components.form({
    action: url,
    hidden: { csrfToken: await action.csrfToken(), callbackUrl: accountUrl(t) },
    content: components.button({ label: fill(texts.connect, name), kind: "main" }),
  });
  const main = html`${components.lead(fill(texts.connectLead, name))}${start}${components.links({ href: accountUrl(t), label: texts.back })}`;
  return { kind: "page", status: 200, title: fill(texts.connectTitle, name), main };
}

function methodOf(step: Step): { readonly method: RemovedMethod; readonly section: AccountSection } | null {
  const [provider, providerAccountId, passkey] = ["provider", "providerAccountId", "passkey"].map((name) =>
    fieldOf(step, name),
  );
  if (provider && providerAccountId) return { method: { provider, providerAccountId }, section: "sign-in" };
  if (passkey) return { method: { passkey }, section: "passkeys" };
  return fieldOf(step, "password") === "remove" ? { method: { password: true }, section: "password" } : null;
}

const FAILED: Readonly<Record<string, ErrorCode>> = { last: "last", missing: "missing", unavailable: "unavailable" };

/** Removes a way to sign in of the user of the session; ids of other users are unknown here. */
async function unlink(step: Step, { user, session }: Owner): Promise<ActionAnswer> {
  const { action, settings, t } = step;
  const found = methodOf(step);
  if (found === null || !settings.sections.includes(found.section)) return toAccount(step, { error: "missing" });
  const { method } = found;
  const userId = String(user.id);
  const { outcome, accounts } = await removeMethod(t, userId, method, "owner");
  if (outcome !== "removed") return toAccount(step, { error: FAILED[outcome] ?? "missing" });
  sendLater(settings, t, { kind: "method-removed", to: user.email, baseUrl: t.baseUrl, what: nameOf(step, method) });
  const { isOwn, facts } = await endSessionsOf(t, { userId, method, accounts, by: "owner", own: session.sid });
  if (isOwn) action.clearSession();
  else if (facts !== undefined) await action.renewSession(facts);
  // The page tells the device, which then stops offering it.
  const removed = "passkey" in method ? { passkey: method.passkey } : {};
  return isOwn ? toSignIn(step) : toAccount(step, { done: "unlink", ...removed });
}

/** Names a passkey of the user of the session; ids of other users are unknown here. An empty name removes it. */
async function renamePasskey(step: Step, { user }: Owner): Promise<ActionAnswer> {
  const { settings, t } = step;
  if (!t.adapterHas("updateAuthenticator")) return toAccount(step, { error: "unavailable" });
  const userId = String(user.id);
  const passkey = (await listPasskeys(t, userId)).find(({ credentialID }) => credentialID === fieldOf(step, "passkey"));
  if (passkey === undefined) return toAccount(step, { error: "missing" });
  const name = readName(step, MAX_PASSKEY_NAME);
  if (name === null) return toAccount(step, { error: "invalid-passkey-name" });
  await t.callAdapter("updateAuthenticator", { credentialID: passkey.credentialID, name: name === "" ? null : name });
  t.note({ kind: "method.renamed", userId, by: "owner", method: "passkey" });
  const what = name === "" ? settings.texts.passkey : name;
  sendLater(settings, t, { kind: "passkey-renamed", to: user.email, baseUrl: t.baseUrl, what });
  return toAccount(step, { done: "rename" });
}

function nameOf({ settings: { texts }, t }: Step, method: RemovedMethod): string {
  if ("passkey" in method) return texts.passkey;
  if ("password" in method) return texts.passwordTitle;
  return t.signInMethods.find(({ id }) => id === method.provider)?.name ?? method.provider;
}

async function remove(step: Step, { user }: Owner): Promise<ActionAnswer> {
  const { action, settings, t } = step;
  if (!t.adapterHas("deleteUser")) return toAccount(step, { error: "unavailable" });
  const answer = await requestRemoval(settings, t, { user, by: "owner", baseUrl: t.baseUrl });
  if (answer.kind === "refused") return toAccount(step, { error: "refused" });
  action.clearSession();
  if (action.wantsJson) return { kind: "json", status: 200, body: { due: answer.due } };
  const { texts } = settings;
  const lead = fill(texts.removedLead, { date: dayOf(answer.due, t.lang) });
  return messagePage(step, {
    title: texts.removedTitle,
    lead,
    link: { href: `${t.baseUrl}/signin`, label: texts.signIn },
  });
}

/** Cancels a change of address that waits, or the deletion, in a session that did not end with it. */
async function cancel(step: Step, { user }: Owner): Promise<ActionAnswer> {
  const { settings, t } = step;
  const userId = String(user.id);
  if (fieldOf(step, "what") === "email") {
    await dropChange(t, userId);
    return toAccount(step, { done: "cancel" });
  }
  if (!(await cancelRemoval(t, userId, "owner"))) return toAccount(step, { error: "missing" });
  sendLater(settings, t, { kind: "deletion-cancelled", to: user.email, baseUrl: t.baseUrl });
  return toAccount(step, { done: "cancel" });
}
