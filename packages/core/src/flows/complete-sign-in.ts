import { loadRunner } from "../context/create-context.ts";
import { renewCsrfToken } from "../cookies/csrf.ts";
import { readSignInTime, rememberSignInTime } from "../cookies/sign-in-time.ts";
import type { FlowContext } from "../model/context.ts";
import type { ExtensionRunner } from "../model/extension-runner.ts";
import type { EpochSeconds } from "../model/units.ts";
import { rememberReplaced } from "../session/replaced-token.ts";
import { strategyOf } from "../session/select-strategy.ts";
import type { Admitted, SignedIn } from "../session/strategy.ts";
import type { Identity } from "../users/identity.ts";
import { storePendingAddress } from "../users/pending-address.ts";
import type { UnprovenUser } from "../users/resolved-user.ts";
import { type AdmittedSignIn, admitSignIn, type Resumed } from "./admit-sign-in.ts";
import { tellOutcome } from "./allow-attempt.ts";
import { askSignInCallback, forgetCallbackUrl } from "./redirect.ts";
import { wayOf } from "./ways.ts";

/** The destination of a sign-in. */
export interface Completed {
  readonly url: string;
  /**
   * The action of an extension that requires a further step, or `proof_required`; absent if the user is signed in, or redirected
   * elsewhere.
   */
  readonly code?: string;
}

const REPLACED = { cause: "replaced", callbackUrl: undefined, federated: undefined } as const;

/**
 * Completes every kind of sign-in (docs/callbacks.md#signin).
 *
 * 1. Calls `callbacks.signIn`. A string redirects there without signing in.
 * 2. Link: finds or creates the user, who must be admitted by every extension; see {@link admitSignIn}. If the owner of
 *    an address has to decide first, redirects to `confirm-address`; if an extension requires a further step, to its
 *    action. In both cases, no user is signed in yet.
 * 3. Issue: creates a session. Its cookies and a new CSRF token go into the jar only after everything else succeeded.
 * 4. Emits the `signIn` event.
 *
 * @param callbackUrl The destination afterwards; already validated.
 * @returns The URL to redirect to.
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
 * Resumes a sign-in that an extension interrupted. `callbacks.signIn` has already allowed it, and is not called again.
 *
 * @throws AccessDenied if the user changed; errors of {@link completeSignIn}.
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
  // An added account or passkey only proves itself: the previous sign-in remains the last one.
  const at = added ? await signedInAt(context, user.id) : context.now();
  await rememberSignInTime(context, user.id, at);
  await renewCsrfToken(context, session);
  forgetCallbackUrl(context);
  await context.emit("signIn", { user, account, isNewUser, ...(profile === undefined ? {} : { profile }) });
  return { url: isNewUser ? newUserUrl(context, callbackUrl) : callbackUrl };
}

/**
 * Issues the session. The previous session ends, and extensions are notified. If one of them cannot end it, no session
 * is issued.
 */
async function issueSession(context: FlowContext, signedIn: Admitted<SignedIn>): Promise<string> {
  const strategy = strategyOf(context.config);
  const runner = await loadRunner(context.config);
  if (runner === undefined) return strategy.issue(context, signedIn);
  const former = await strategy.find(context);
  if (former !== null) {
    await rememberReplaced(context, former);
    await runner.ended(context, former, { ...REPLACED, successor: signedIn.facts });
  }
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
  { user, account: whole, stored: tokens = whole, facts }: Admitted<SignedIn>,
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
