import { guardOf } from "../context/create-context.ts";
import { renewCsrfToken } from "../cookies/csrf.ts";
import { readSignInTime, rememberSignInTime } from "../cookies/sign-in-time.ts";
import type { FlowContext } from "../model/context.ts";
import type { EpochSeconds } from "../model/units.ts";
import { rememberReplaced } from "../session/replaced-token.ts";
import { strategyOf } from "../session/select-strategy.ts";
import type { Admitted, SignedIn } from "../session/strategy.ts";
import { markAdmitted } from "./admit.ts";
import { report } from "./allow-attempt.ts";
import { forgetCallbackUrl } from "./redirect.ts";
import type { AdmittedSignIn } from "./sign-in.ts";

const REPLACED = { cause: "replaced", callbackUrl: undefined, federated: undefined } as const;

/**
 * Issues the session of an admitted sign-in, and emits `signIn`. Its cookies and a new CSRF token go into the jar only after
 * everything else succeeded.
 *
 * @returns the URL to redirect to.
 * @throws errors of the strategy and of extensions.
 */
export async function issueSession(context: FlowContext, signIn: AdmittedSignIn): Promise<string> {
  const { identity, user, isNewUser, adds, facts, callbackUrl, changes } = signIn;
  const { account, stored, profile, context: own } = identity;
  const signedIn = { user, account, stored, profile, isNewUser, facts, context: own, undo: changes.undo };
  const session = await issue(context, markAdmitted(signedIn), signIn);
  // An added account or passkey only proves itself: the previous sign-in remains the last one.
  const at = adds ? await signedInAt(context, user.id) : context.now();
  await rememberSignInTime(context, user.id, at);
  await renewCsrfToken(context, session);
  forgetCallbackUrl(context);
  await context.emit("signIn", { user, account, isNewUser, ...(profile === undefined ? {} : { profile }) });
  return isNewUser ? newUserUrl(context, callbackUrl) : callbackUrl;
}

/** The previous session ends, and extensions are notified. If one of them cannot end it, no session is issued. */
async function issue(context: FlowContext, signedIn: Admitted<SignedIn>, { attempt }: AdmittedSignIn): Promise<string> {
  const strategy = strategyOf(context.config);
  const guard = guardOf(context.config);
  if (guard === undefined) return strategy.issue(context, signedIn);
  const former = await strategy.find(context);
  if (former !== null) {
    await rememberReplaced(context, former);
    await guard.ended(context, former, { ...REPLACED, successor: signedIn.facts });
  }
  await tellTokens(context, signedIn);
  const session = await strategy.issue(context, signedIn);
  const { user, account, facts } = signedIn;
  const factors = facts?.f.map(([method]) => method) ?? [];
  const sid = facts?.sid ?? "";
  const fact = { kind: "signin.succeeded", userId: String(user.id), provider: account.provider, factors, sid } as const;
  guard.note(context.config, fact);
  await report(context, attempt, "success");
  return session;
}

async function tellTokens(
  context: FlowContext,
  { user, account: whole, stored: tokens = whole, facts }: Admitted<SignedIn>,
): Promise<void> {
  const { provider, providerAccountId, type } = tokens;
  if (facts === undefined || (type !== "oauth" && type !== "oidc")) return;
  const account = { provider, providerAccountId, type };
  await guardOf(context.config)?.granted(context, { account, tokens, userId: String(user.id), sid: facts.sid, facts });
}

async function signedInAt(context: FlowContext, userId: string | undefined): Promise<EpochSeconds | null> {
  return userId === undefined ? null : readSignInTime(context, userId);
}

function newUserUrl(context: FlowContext, callbackUrl: string): string {
  const { newUser } = context.config.pages;
  if (newUser === undefined) return callbackUrl;
  const url = new URL(newUser, context.origin);
  url.searchParams.set("callbackUrl", callbackUrl);
  return url.href;
}
