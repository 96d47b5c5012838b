import { markSignIn, readSignIn } from "../cookies/csrf.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { AccountNotLinked } from "../model/errors.ts";
import type { EpochSeconds } from "../model/units.ts";
import type { SessionStrategy } from "../session/strategy.ts";
import { findKnownUser } from "../users/find-known-user.ts";
import type { Identity } from "../users/identity.ts";
import { joinPendingAddress } from "../users/join-address.ts";
import { storePendingAddress } from "../users/pending-address.ts";
import { resolveUser } from "../users/resolve-user.ts";
import { askSignInCallback } from "./ask-sign-in-callback.ts";
import { forgetCallbackUrl } from "./redirect.ts";

/**
 * Completes every kind of sign-in (docs/callbacks.md#signin).
 *
 * 1. `callbacks.signIn` decides; a string redirects there, and no one is signed in.
 * 2. link: the user is found or created. Where the owner of an address has to decide first, they are redirected to
 *    `confirm-address`, and no one is signed in.
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
  const elsewhere = await askSignInCallback(context, identity, known);
  if (elsewhere !== null) return elsewhere;
  const resolved = await resolveUser(context, identity, known);
  if ("unproven" in resolved) return storeAddressProof(context, identity, resolved.unproven, callbackUrl);
  const { isNewUser, added = false } = resolved;
  const user = await joinPendingAddress(context, resolved);
  const { account, profile } = identity;
  const session = await strategy.issue(context, { user, account, profile, isNewUser });
  // A way in that was added proves itself only: the sign-in before it stays the last one.
  const at = added ? await signedInAt(context, user.id) : context.now();
  await markSignIn(context, user.id, at, session);
  forgetCallbackUrl(context);
  await context.emit("signIn", { user, account, isNewUser, ...(profile === undefined ? {} : { profile }) });
  return isNewUser ? newUserUrl(context, callbackUrl) : callbackUrl;
}

/** The link is used up; what it proved is kept until the owner of the address has decided. */
async function storeAddressProof(
  context: FlowContext,
  { account, provenAt = new Date(context.now() * 1000) }: Identity,
  owner: AdapterUser,
  callbackUrl: string,
): Promise<string> {
  const provider = context.config.providers.get(account.provider);
  if (provider?.kind !== "email") throw new AccountNotLinked("Only a link in an e-mail proves an address.");
  await storePendingAddress(context, provider, owner, { email: account.providerAccountId, provenAt, callbackUrl });
  return `${context.baseUrl}/confirm-address`;
}

async function signedInAt(context: FlowContext, userId: string | undefined): Promise<EpochSeconds | null> {
  return userId === undefined ? null : readSignIn(context, userId);
}

function newUserUrl(context: FlowContext, callbackUrl: string): string {
  const { newUser } = context.config.pages;
  if (newUser === undefined) return callbackUrl;
  const url = new URL(newUser, context.origin);
  url.searchParams.set("callbackUrl", callbackUrl);
  return url.href;
}
