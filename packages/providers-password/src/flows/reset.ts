import { type ActionAnswer, type AdapterUser, parseEmailAddress } from "@cardea/core/extend";
import { refuseNew } from "../choose.ts";
import { CLOCKS_DIFFER, findPassword, hashNew, stateOf, storePassword } from "../credential.ts";
import { clearFailures } from "../failures.ts";
import { canMail, sendLater } from "../mail.ts";
import { type FoundPending, findPending, keepPending, restorePending, takePending } from "../pending.ts";
import { runtimeOf } from "../runtime.ts";
import { findUser } from "../sign-in.ts";
import { actionUrl, busyAnswer, fieldOf, type Step, toPage } from "./answer.ts";
import { endOthers } from "./end-others.ts";
import { askForLink, redeemLink } from "./links.ts";

/** Cookie with the right of this browser to choose a new password. */
const COOKIE = "reset";

/** How long it may take to choose one, in seconds. */
const CHOOSING = 15 * 60;

/** POST `reset/{id}`: asks for a link, opens it, or sets the new password. */
export async function reset(step: Step): Promise<ActionAnswer> {
  if (!canMail(step.settings)) return toPage(step, "reset", { error: "unavailable" });
  try {
    const token = fieldOf(step, "token");
    if (token !== "") return await prove(step, token);
    return fieldOf(step, "password") === "" ? await ask(step) : await choose(step);
  } catch (error) {
    return busyAnswer(step, "reset", error);
  }
}

/** Sends a link, where the address has an account. */
function ask(step: Step): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  return askForLink(step, "reset", async ({ email }) => {
    const user = await findUser(t, email);
    const callbackUrl = await action.redirectTo(fieldOf(step, "callbackUrl") || null);
    // Also where there is no account: an outage of the store must not tell which addresses have one.
    const token = await keepPending(t, { kind: "reset", email, at: Date.now(), callbackUrl }, settings.resetAge);
    const url = `${actionUrl(step, "reset")}?token=${token}`;
    if (user !== null) sendLater(settings, t, { kind: "reset", to: email, url }, settings.resetAge);
    return null;
  });
}

/**
 * Opens a link, once: it signs the owner of the address in, as every link does, so that a second factor is asked for and an address that
 * was never proven leads to `confirm-address`. Only then the new password can be chosen (ASVS 6.4.3).
 */
async function prove(step: Step, token: string): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  const found = await findPending(t, "reset", token);
  if (found === null || (await isVoid(step, found))) return toPage(step, "reset", { error: "invalid-link" });
  const { email, at, callbackUrl } = found.pending;
  const carryOut = async () => {
    const grant = await keepPending(t, { kind: "choose", email, at: Date.now(), callbackUrl }, CHOOSING);
    await t.cookies.write(COOKIE, { grant }, CHOOSING);
    const next = `${actionUrl(step, "reset")}?step=choose`;
    return action.signIn({ provider: settings.id, email, provenAt: new Date(at), callbackUrl: next });
  };
  return redeemLink(step, { page: "reset", token, found, carryOut });
}

/** A link is void once a later one was used, the password was changed after it, or its account is gone. */
async function isVoid({ t }: Step, { pending }: FoundPending): Promise<boolean> {
  const user = await findUser(t, pending.email);
  if (user === null) return true;
  const proven = user.emailVerified instanceof Date ? user.emailVerified.getTime() : 0;
  const password = await findPassword(t, user.id);
  const setAt = password === null ? 0 : (stateOf(password).setAt ?? 0);
  return proven > pending.at || setAt > pending.at;
}

/** The user who may choose a new password in this browser, and the right to it; null when no one may. */
export async function findChooser(step: Step): Promise<Chooser | null> {
  const { action, t } = step;
  const token = (await t.cookies.read(COOKIE))?.grant;
  const session = await action.session();
  if (token === undefined || session === null) return null;
  const found = await findPending(t, "choose", token);
  const user = found && (await t.callAdapter("getUser", session.userId));
  if (!found || !user) return null;
  // The session was issued by this very proof, or after it.
  const isFresh = session.at !== undefined && session.at * 1000 > found.pending.at - CLOCKS_DIFFER;
  const isOwner = parseEmailAddress(user.email ?? "", { allowLocalDomains: true }) === found.pending.email;
  return isFresh && isOwner && user.emailVerified ? { user, token, found, sid: session.sid } : null;
}

/** A user who proved their address in this browser. */
export interface Chooser {
  readonly user: AdapterUser;
  readonly token: string;
  readonly found: FoundPending;
  readonly sid: string;
}

/** Sets the new password: every other session ends, and every older link is void. */
async function choose(step: Step): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  const chooser = await findChooser(step);
  if (chooser === null) return toPage(step, "reset", { error: "invalid-link" });
  const { user, token, found, sid } = chooser;
  const typed = fieldOf(step, "password");
  const refusal = await refuseNew(settings, t, typed, user);
  if (refusal !== null) return toPage(step, "reset", { step: "choose", error: refusal });
  const former = await findPassword(t, user.id);
  const next = await hashNew(settings, await runtimeOf(t, settings).begin(), typed);
  if (!(await takePending(t, token, found))) return toPage(step, "reset", { error: "invalid-link" });
  if (!(await storePassword(t, user.id, former, next))) {
    await restorePending(t, token, found);
    return toPage(step, "reset", { step: "choose", error: "changed" });
  }
  t.cookies.clear(COOKIE);
  await clearFailures(t, user.id);
  await endOthers(step, { user, sid, how: "reset" });
  return { kind: "redirect", url: await action.redirectTo(found.pending.callbackUrl) };
}
