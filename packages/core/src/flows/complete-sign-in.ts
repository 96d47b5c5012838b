import type { FlowContext } from "../model/context.ts";
import type { SessionStrategy } from "../session/strategy.ts";
import { markSignIn } from "./csrf.ts";
import { findKnownUser } from "./find-known-user.ts";
import type { Identity } from "./identity.ts";
import { permitSignIn } from "./permit.ts";
import { forgetCallbackUrl } from "./redirect.ts";
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
  const known = await findKnownUser(context, identity);
  const elsewhere = await permitSignIn(context, identity, known);
  if (elsewhere !== null) return elsewhere;
  const { user, isNewUser } = await resolveUser(context, identity, known);
  const { account, profile } = identity;
  await strategy.issue(context, { user, account, profile, isNewUser });
  await markSignIn(context, user.id);
  forgetCallbackUrl(context);
  await context.emit("signIn", { user, account, isNewUser, ...(profile === undefined ? {} : { profile }) });
  return isNewUser ? newUserUrl(context, callbackUrl) : callbackUrl;
}

function newUserUrl(context: FlowContext, callbackUrl: string): string {
  const { newUser } = context.config.pages;
  if (newUser === undefined) return callbackUrl;
  const url = new URL(newUser, context.origin);
  url.searchParams.set("callbackUrl", callbackUrl);
  return url.href;
}
