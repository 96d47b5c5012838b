import type { FlowContext } from "../model/context.ts";
import { AccessDenied } from "../model/errors.ts";
import { toError } from "../model/to-error.ts";
import type { SessionStrategy } from "../session/strategy.ts";
import { renewCsrfToken } from "./csrf.ts";
import type { Identity } from "./identity.ts";
import { forgetCallbackUrl, resolveRedirect } from "./redirect.ts";
import { resolveUser } from "./resolve-user.ts";

/**
 * Where every ceremony ends (contract 6).
 *
 * 1. permit: `callbacks.signIn` decides (spec 5.11); a string is where to go instead, and nobody is signed in.
 * 2. link: the user is found or made.
 * 3. issue: a new session; its cookies and a new CSRF token go into the jar only when all before succeeded.
 * 4. the `signIn` event.
 *
 * @param callbackUrl where to go afterwards; checked already.
 * @returns where to go.
 * @throws AccessDenied, and what linking and issuing throw.
 */
export async function completeSignIn(
  context: FlowContext,
  strategy: SessionStrategy,
  identity: Identity,
  callbackUrl: string,
): Promise<string> {
  const elsewhere = await permit(context, identity);
  if (elsewhere !== null) return resolveRedirect(context, elsewhere);
  const { user, isNewUser } = await resolveUser(identity);
  const { account, profile } = identity;
  await strategy.issue(context, { user, account, profile, isNewUser });
  await renewCsrfToken(context);
  forgetCallbackUrl(context);
  await context.emit("signIn", { user, account, isNewUser, ...(profile === undefined ? {} : { profile }) });
  return isNewUser ? newUserUrl(context, callbackUrl) : callbackUrl;
}

/** @returns null to go on, or where to go instead. */
async function permit(context: FlowContext, identity: Identity): Promise<string | null> {
  const { user, account, profile, credentials } = identity;
  const callback = context.config.callbacks.signIn;
  if (callback === undefined) return null;
  let permitted: unknown;
  try {
    permitted = await callback({ user, account, profile, credentials });
  } catch (error) {
    throw new AccessDenied("callbacks.signIn threw.", { cause: { err: toError(error), provider: account.provider } });
  }
  if (typeof permitted === "string") return permitted;
  if (permitted === true) return null;
  throw new AccessDenied("callbacks.signIn did not return true.", { cause: { provider: account.provider } });
}

function newUserUrl(context: FlowContext, callbackUrl: string): string {
  const { newUser } = context.config.pages;
  if (newUser === undefined) return callbackUrl;
  const url = new URL(newUser, context.origin);
  url.searchParams.set("callbackUrl", callbackUrl);
  return url.href;
}
