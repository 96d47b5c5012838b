import type { ActionAnswer } from "@cardea/extend";
import { refuseNew } from "../choose.ts";
import { hashNew, type NewPassword, standOf, storePassword } from "../credential.ts";
import { canMail, sendLater } from "../mail.ts";
import { type FoundPending, findPending, keepPending, spellingOf } from "../pending.ts";
import { runtimeOf } from "../runtime.ts";
import { actionUrl, busyAnswer, fieldOf, type Step, toPage } from "./answer.ts";
import { askForLink, isVoid, redeemLink } from "./links.ts";
import { keepAddress } from "./typed-address.ts";

/**
 * Cookie with a random id of the browser that started the registration. The submitted password is used only in that
 * browser.
 */
const COOKIE = "register";

/** POST `register/{id}`: starts a registration, or completes one with the token of its link. */
export async function register(step: Step): Promise<ActionAnswer> {
  return keepAddress(step, "register", await beginOrComplete(step));
}

async function beginOrComplete(step: Step): Promise<ActionAnswer> {
  const { settings } = step;
  if (settings.registerAge === null || !canMail(settings)) return toPage(step, "register", { error: "unavailable" });
  try {
    const token = fieldOf(step, "token");
    return token === "" ? await begin(step, settings.registerAge) : await complete(step, token);
  } catch (error) {
    return busyAnswer(step, "register", error);
  }
}

/**
 * Starts a registration.
 *
 * 1. Address and password are validated.
 * 2. The password is hashed and stored with the random id of this browser. No user is created.
 * 3. The owner of the address receives a link or, if an account exists, a message that says so.
 */
function begin(step: Step, lifetime: number): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  return askForLink(step, "register", async ({ email, spelling, clock }) => {
    const password = fieldOf(step, "password");
    const refusal = await refuseNew(settings, t, password, { email });
    if (refusal !== null) return toPage(step, "register", { error: refusal });
    const chosen = await hashNew(settings, clock, password);
    const browser = (await t.cookies.read(COOKIE))?.browser ?? t.randomId();
    await t.cookies.write(COOKIE, { browser }, lifetime);
    const callbackUrl = await action.redirectTo(fieldOf(step, "callbackUrl") || null);
    const user = await t.findUserByAddress(spelling);
    const kept = {
      kind: "register",
      email,
      spelling,
      ...chosen,
      browser: await t.digest(browser),
      at: Date.now(),
      stand: await standOf(t, user),
      callbackUrl,
    } as const;
    const token = await keepPending(t, kept, lifetime);
    // A user whose address was never verified may have been created by an attacker; `confirm-address` asks the owner.
    const isTaken = user !== null && user.emailVerified !== null && user.emailVerified !== undefined;
    if (isTaken) sendLater(settings, t, { kind: "already-registered", to: email, url: actionUrl(step, "reset") });
    else sendLater(settings, t, { kind: "confirm-address", to: email, url: linkOf(step, token) }, lifetime);
    return null;
  });
}

function linkOf(step: Step, token: string): string {
  return `${actionUrl(step, "register")}?token=${token}`;
}

/**
 * Completes a registration with the token of its link, once. In the browser that started it, the submitted password is
 * used. In any other browser, the owner of the address chooses a new one, because someone else may have entered the
 * first. Once the account exists, a link from before its last proof or password is void: it would sign in its holder.
 */
async function complete(step: Step, token: string): Promise<ActionAnswer> {
  const { settings, action, t } = step;
  const found = await findPending(t, "register", token);
  if (found === null || (await isVoid(t, found, await t.findUserByAddress(spellingOf(found.pending)))))
    return toPage(step, "register", { error: "invalid-link" });
  const { email, at, callbackUrl, hash, short } = found.pending;
  let password: NewPassword = { hash, short };
  const chooseHere = async (): Promise<ActionAnswer | null> => {
    if (await isRequestingBrowser(step, found)) return null;
    const typed = fieldOf(step, "password");
    const refusal = await refuseNew(settings, t, typed, { email });
    if (refusal !== null) return toPage(step, "register", { token, error: refusal });
    password = await hashNew(settings, await runtimeOf(t, settings).begin(), typed);
    return null;
  };
  const created = async ({ id }: { readonly id: string }) => {
    await storePassword(t, id, null, password);
    t.note({ kind: "password.changed", userId: id, by: "owner", how: "register" });
  };
  const carryOut = async () => {
    const to = await action.redirectTo(callbackUrl);
    const proof = {
      provider: settings.id,
      email: spellingOf(found.pending),
      provenAt: new Date(at),
      callbackUrl: to,
      created,
    };
    const url = await action.signIn(proof);
    t.cookies.clear(COOKIE);
    return url;
  };
  return redeemLink(step, { page: "register", token, found, before: chooseHere, carryOut });
}

/** Whether the submitted password may be used in this browser. */
export async function isRequestingBrowser({ t }: Pick<Step, "t">, { pending }: FoundPending): Promise<boolean> {
  const browser = (await t.cookies.read(COOKIE))?.browser;
  return pending.kind === "register" && browser !== undefined && (await t.digest(browser)) === pending.browser;
}
