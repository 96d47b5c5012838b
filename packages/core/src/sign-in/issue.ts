import { guardOf } from "../context/create-context.ts";
import { renewCsrfToken } from "../cookies/csrf.ts";
import { rememberMethod } from "../cookies/last-method.ts";
import { forgetCookie } from "../cookies/own-cookie.ts";
import { readSignInTime, rememberSignInTime } from "../cookies/sign-in-time.ts";
import type { FlowContext } from "../model/context.ts";
import { rememberReplaced } from "../session/replaced-token.ts";
import { strategyOf } from "../session/select-strategy.ts";
import { report } from "./allow-attempt.ts";
import type { AdmittedSignIn } from "./sign-in.ts";

const REPLACED = { cause: "replaced", callbackUrl: undefined, federated: undefined } as const;

/**
 * Issues the session of an admitted sign-in, and emits `signIn`. Its cookies and a new CSRF token go into the jar only after
 * everything else succeeded.
 *
 * @returns the URL to redirect to, and the id of the session.
 * @throws errors of the strategy and of extensions.
 */
export async function issueSignIn(context: FlowContext, signIn: AdmittedSignIn) {
  const { identity, user, isNewUser, adds, callbackUrl } = signIn;
  const { account, profile } = identity;
  const isAlone = context.config.extensions === undefined;
  const session = await (isAlone ? strategyOf(context.config).issue(context, signIn) : issueAndTell(context, signIn));
  context.step?.("session issued", { provider: account.provider, kind: context.config.session.strategy });
  // An added account or passkey only proves itself: the previous sign-in remains the last one.
  const at = adds ? await readSignInTime(context, String(user.id)) : context.now();
  await rememberSignInTime(context, user.id, at);
  await renewCsrfToken(context, session);
  forgetCookie(context, "callbackUrl");
  forgetCookie(context, "identifier");
  if (!adds) rememberMethod(context, account.provider);
  await context.emit("signIn", { user, account, isNewUser, ...(profile === undefined ? {} : { profile }) });
  return { url: isNewUser ? newUserUrl(context, callbackUrl) : callbackUrl, session };
}

/** The previous sessions end, and extensions are notified. If one of them cannot end it, no session is issued. */
async function issueAndTell(context: FlowContext, signIn: AdmittedSignIn): Promise<string> {
  const strategy = strategyOf(context.config);
  const guard = guardOf(context.config);
  const { user, identity, facts, attempt } = signIn;
  for (const former of await strategy.findAll(context)) {
    await rememberReplaced(context, former);
    await guard?.ended(context, former, { ...REPLACED, successor: facts });
  }
  await notifyTokens(context, signIn);
  const session = await strategy.issue(context, signIn);
  const { provider } = identity.account;
  const factors = facts?.f.map(([method]) => method) ?? [];
  const sid = facts?.sid ?? "";
  guard?.note(context.config, { kind: "signin.succeeded", userId: String(user.id), provider, factors, sid });
  await report(context, attempt && { ...attempt, userId: user.id && String(user.id) }, "success");
  return session;
}

async function notifyTokens(context: FlowContext, { user, identity, facts }: AdmittedSignIn): Promise<void> {
  const { stored: tokens = identity.account } = identity;
  const { provider, providerAccountId, type } = tokens;
  if (facts === undefined || (type !== "oauth" && type !== "oidc")) return;
  const account = { provider, providerAccountId, type };
  await guardOf(context.config)?.granted(context, { account, tokens, userId: String(user.id), sid: facts.sid, facts });
}

function newUserUrl(context: FlowContext, callbackUrl: string): string {
  const { newUser } = context.config.pages;
  if (newUser === undefined) return callbackUrl;
  const url = new URL(newUser, context.origin);
  url.searchParams.set("callbackUrl", callbackUrl);
  return url.href;
}
