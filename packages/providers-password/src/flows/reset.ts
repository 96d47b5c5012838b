import {
  type ActionAnswer,
  type AdapterUser,
  parseEmailAddress,
  type RequestTools,
  type StoredSession,
} from "@cardea/extend";
import { refuseNew } from "../choose.ts";
import { findPassword, hashNew, standOf } from "../credential.ts";
import { clearFailures } from "../failures.ts";
import { canMail, sendLater } from "../mail.ts";
import {
  changePending,
  type FoundPending,
  findPending,
  keepPending,
  restorePending,
  spellingOf,
  takePending,
} from "../pending.ts";
import { runtimeOf } from "../runtime.ts";
import { actionUrl, busyAnswer, fieldOf, goTo, type Step, toPage } from "./answer.ts";
import { endOthers } from "./end-others.ts";
import { askForLink, isVoid, redeemLink } from "./links.ts";
import { storeWhileThere } from "./store-while-there.ts";
import { keepAddress } from "./typed-address.ts";

/** Cookie that permits this browser to choose a new password. */
const COOKIE = "reset";

/** How long choosing a password may take, in seconds. */
const CHOOSING = 15 * 60;

/** POST `reset/{id}`: requests a link, redeems it, or sets the new password. */
export async function reset(step: Step): Promise<ActionAnswer> {
  return keepAddress(step, "reset", await takeStep(step));
}

async function takeStep(step: Step): Promise<ActionAnswer> {
  if (!canMail(step.settings)) return toPage(step, "reset", { error: "unavailable" });
  try {
    const token = fieldOf(step, "token");
    if (token !== "") return await prove(step, token);
    return fieldOf(step, "password") === "" ? await ask(step) : await choose(step);
  } catch (error) {
    return busyAnswer(step, "reset", error);
  }
}

/** Sends a link if the address has an account. */
function ask(step: Step): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  return askForLink(step, "reset", async ({ email, spelling }) => {
    const user = await t.findUserByAddress(spelling);
    const callbackUrl = await action.redirectTo(fieldOf(step, "callbackUrl") || null);
    // Also without an account, so that a store outage does not reveal which addresses have one.
    const kept = {
      kind: "reset",
      email,
      spelling,
      at: Date.now(),
      stand: await standOf(t, user),
      callbackUrl,
    } as const;
    const token = await keepPending(t, kept, settings.resetAge);
    const url = `${actionUrl(step, "reset")}?token=${token}`;
    if (user !== null) sendLater(settings, t, { kind: "reset", to: email, url }, settings.resetAge);
    return null;
  });
}

/**
 * Redeems a link, once. It signs in the owner of the address like any other link, so that a second factor is required
 * and an unverified address leads to `confirm-address`. Only then can a new password be chosen (ASVS 6.4.3).
 */
async function prove(step: Step, token: string): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  const found = await findPending(t, "reset", token);
  const user = found && (await t.findUserByAddress(spellingOf(found.pending)));
  if (found === null || user === null || (await isVoid(t, found, user)))
    return toPage(step, "reset", { error: "invalid-link" });
  const { email, at, callbackUrl } = found.pending;
  const carryOut = async () => {
    const epoch = await t.epoch(user.id).read();
    const grant = await keepPending(t, { kind: "choose", email, epoch, callbackUrl }, CHOOSING);
    await t.cookies.write(COOKIE, { grant }, CHOOSING);
    const next = `${actionUrl(step, "reset")}?step=choose`;
    return action.signIn({
      provider: settings.id,
      email: spellingOf(found.pending),
      provenAt: new Date(at),
      callbackUrl: next,
    });
  };
  return redeemLink(step, { page: "reset", token, found, carryOut });
}

/**
 * Binds the permission of this browser to the session that was issued by its proof, or by a later sign-in. An earlier session may
 * lack the second factor that the proof requires.
 *
 * @throws errors of the store.
 */
export async function bindPermission({ cause, sid }: StoredSession, t: RequestTools): Promise<void> {
  const token = cause === "signin" ? (await t.cookies.read(COOKIE))?.grant : undefined;
  const found = token === undefined ? null : await findPending(t, "choose", token);
  if (token !== undefined && found !== null) await changePending(t, token, { ...found.pending, sid }, found);
}

/** The user who may choose a new password in this browser, with the permission; null if none. */
export async function findChooser({ action, t }: Step): Promise<Chooser | null> {
  const token = (await t.cookies.read(COOKIE))?.grant;
  const session = await action.session();
  if (token === undefined || session === null) return null;
  const found = await findPending(t, "choose", token);
  if (found === null || found.pending.sid !== session.sid) return null;
  const user = await t.callAdapter("getUser", session.userId);
  const isOwner = parseEmailAddress(user?.email ?? "", { allowLocalDomains: true }) === found.pending.email;
  if (user === null || !isOwner || !user.emailVerified) return null;
  // The user may have several permissions, of which an attacker with access to the mailbox holds one: a new password ends them all.
  const { epoch = 0 } = found.pending;
  return epoch < (await t.epoch(user.id).read()) ? null : { user, token, found, sid: session.sid };
}

/** A user who verified their address in this browser. */
export interface Chooser {
  readonly user: AdapterUser;
  readonly token: string;
  readonly found: FoundPending;
  readonly sid: string;
}

/**
 * Sets the new password. Ends every other session and invalidates every older link. For a user who has none, it adds a sign-in method, like
 * `password/add`.
 */
async function choose(step: Step): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  const chooser = await findChooser(step);
  if (chooser === null) return toPage(step, "reset", { error: "invalid-link" });
  const { user, token, found, sid } = chooser;
  const typed = fieldOf(step, "password");
  const refusal = await refuseNew(settings, t, typed, user);
  if (refusal !== null) return toPage(step, "reset", { step: "choose", error: refusal });
  const former = await findPassword(t, user.id);
  const here = `${actionUrl(step, "reset")}?step=choose`;
  const elsewhere = former === null ? await action.mayChange(here, [], "password") : null;
  if (elsewhere !== null) return goTo(action, elsewhere);
  const next = await hashNew(settings, await runtimeOf(t, settings).begin(), typed);
  // Hashing takes a while. A session that ended in the meantime must not set a password.
  const isStillThere = (await findChooser(step))?.sid === sid;
  if (!isStillThere || !(await takePending(t, token, found))) return toPage(step, "reset", { error: "invalid-link" });
  const isThere = async () => (await action.session())?.sid === sid;
  const outcome = await storeWhileThere(step, { user, isThere, former, next }).catch(async (error: unknown) => {
    await restorePending(t, token, found);
    throw error;
  });
  if (outcome === "ended") return toPage(step, "reset", { error: "invalid-link" });
  if (outcome === "changed") {
    await restorePending(t, token, found);
    return toPage(step, "reset", { step: "choose", error: "changed" });
  }
  t.cookies.clear(COOKIE);
  // First, so that anyone who knew the previous password is signed out even if a later step fails.
  await endOthers(step, { user, sid, how: "reset" });
  await clearFailures(t, user.id).catch((error: unknown) =>
    t.logger.warn("password-failures-left: the count of wrong passwords could not be reset:", error),
  );
  return { kind: "redirect", url: await action.redirectTo(found.pending.callbackUrl) };
}
