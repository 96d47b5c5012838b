import { loadRunner } from "../context/extension-runner.ts";
import { renewCsrfToken } from "../cookies/csrf.ts";
import { readSignInTime, rememberSignInTime } from "../cookies/sign-in-time.ts";
import type { FlowContext } from "../model/context.ts";
import type { ExtensionRunner } from "../model/extension-runner.ts";
import type { EpochSeconds } from "../model/units.ts";
import { strategyOf } from "../session/select-strategy.ts";
import type { Admitted, SignedIn } from "../session/strategy.ts";
import type { Identity } from "../users/identity.ts";
import { storePendingAddress } from "../users/pending-address.ts";
import type { UnprovenUser } from "../users/resolved-user.ts";
import { type AdmittedSignIn, admitSignIn, type Resumed } from "./admit-sign-in.ts";
import { tellOutcome } from "./allow-attempt.ts";
import { askSignInCallback } from "./ask-sign-in-callback.ts";
import { forgetCallbackUrl } from "./redirect.ts";
import { wayOf } from "./ways.ts";

/** Where a sign-in leads to. */
export interface Completed {
  readonly url: string;
  /** The action of an extension that asks for something first; absent when the user is signed in, or goes elsewhere. */
  readonly code?: string;
}

const REPLACED = { cause: "replaced", callbackUrl: undefined, federated: undefined } as const;

/**
 * Completes every kind of sign-in (docs/callbacks.md#signin).
 *
 * 1. `callbacks.signIn` decides; a string redirects there, and no one is signed in.
 * 2. link: the user is found or created, and admitted by every extension, see {@link admitSignIn}. Where the owner of an address has
 *    to decide first, they are redirected to `confirm-address`; where an extension asks for something first, to its action. Then no
 *    one is signed in.
 * 3. issue: a new session; its cookies and a new CSRF token go into the jar only when all before succeeded.
 * 4. the `signIn` event.
 *
 * @param callbackUrl the destination afterwards; already validated.
 * @returns where to redirect to.
 * @throws AccessDenied, and the errors of linking and issuing.
 */
export async function completeSignIn(
  context: FlowContext,
  identity: Identity,
  callbackUrl: string,
): Promise<Completed> {
  const way = wayOf(identity);
  const hasDatabase = context.config.adapter !== undefined;
  const known = hasDatabase ? await way.findUser(context, identity) : null;
  const elsewhere = await askSignInCallback(context, identity, known);
  if (elsewhere !== null) return { url: elsewhere };
  return finishSignIn(context, await admitSignIn(context, identity, known, callbackUrl), callbackUrl);
}

/**
 * Goes on with a sign-in for which an extension had asked something. `callbacks.signIn` agreed to it then, and is not called again.
 *
 * @throws AccessDenied when the user is another one now, and what {@link completeSignIn} throws.
 */
export async function resumeSignIn(
  context: FlowContext,
  identity: Identity,
  callbackUrl: string,
  resumed: Resumed,
): Promise<Completed> {
  return finishSignIn(context, await admitSignIn(context, identity, null, callbackUrl, resumed), callbackUrl);
}

async function finishSignIn(context: FlowContext, admitted: AdmittedSignIn, callbackUrl: string): Promise<Completed> {
  if (admitted.kind === "asked") return { url: admitted.url, code: admitted.ask };
  if (admitted.kind === "unproven") return { url: await storeAddressProof(context, admitted, callbackUrl) };
  const { signedIn, added } = admitted;
  const { user, account, profile, isNewUser } = signedIn;
  const session = await issueSession(context, signedIn);
  // A way in that was added proves itself only: the sign-in before it stays the last one.
  const at = added ? await signedInAt(context, user.id) : context.now();
  await rememberSignInTime(context, user.id, at);
  await renewCsrfToken(context, session);
  forgetCallbackUrl(context);
  await context.emit("signIn", { user, account, isNewUser, ...(profile === undefined ? {} : { profile }) });
  return { url: isNewUser ? newUserUrl(context, callbackUrl) : callbackUrl };
}

/**
 * Issues the session. The one that was there before ends with it, for every extension as well; if one of them cannot end it, no session
 * is issued.
 */
async function issueSession(context: FlowContext, signedIn: Admitted<SignedIn>): Promise<string> {
  const strategy = strategyOf(context.config);
  const runner = await loadRunner(context.config);
  if (runner === undefined) return strategy.issue(context, signedIn);
  const former = await strategy.find(context);
  if (former !== null) await runner.ended(context, former, REPLACED);
  await tellTokens(context, runner, signedIn);
  const session = await strategy.issue(context, signedIn);
  const { user, account, facts } = signedIn;
  const factors = facts?.f.map(([method]) => method) ?? [];
  const sid = facts?.sid ?? "";
  const fact = { kind: "signin.succeeded", userId: String(user.id), provider: account.provider, factors, sid } as const;
  runner.note(context.config, fact);
  await tellOutcome(context, "success");
  return session;
}

async function tellTokens(
  context: FlowContext,
  runner: ExtensionRunner,
  { user, account: tokens, facts }: Admitted<SignedIn>,
): Promise<void> {
  const { provider, providerAccountId, type } = tokens;
  if (facts === undefined || (type !== "oauth" && type !== "oidc")) return;
  const account = { provider, providerAccountId, type };
  await runner.granted(context, { account, tokens, userId: String(user.id), sid: facts.sid, facts });
}

/** The link is consumed; its proof is stored until the owner of the address has decided. */
async function storeAddressProof(
  context: FlowContext,
  { unproven, identity: { provider, account, provenAt, context: own } }: UnprovenUser,
  callbackUrl: string,
): Promise<string> {
  await storePendingAddress(context, provider, unproven, {
    email: account.providerAccountId,
    provenAt,
    callbackUrl,
    context: own,
  });
  return `${context.baseUrl}/confirm-address`;
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
