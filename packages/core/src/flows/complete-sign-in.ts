import { renewCsrfToken } from "../cookies/csrf.ts";
import { readSignInTime, rememberSignInTime } from "../cookies/sign-in-time.ts";
import type { FlowContext } from "../model/context.ts";
import type { User } from "../model/records.ts";
import type { EpochSeconds } from "../model/units.ts";
import { strategyOf } from "../session/select-strategy.ts";
import type { ClaimedIdentity, Identity } from "../users/identity.ts";
import { joinPendingAddress } from "../users/join-address.ts";
import { storePendingAddress } from "../users/pending-address.ts";
import type { UnprovenUser } from "../users/resolved-user.ts";
import { askSignInCallback } from "./ask-sign-in-callback.ts";
import { forgetCallbackUrl } from "./redirect.ts";
import { wayOf } from "./ways.ts";

/**
 * Completes every kind of sign-in (docs/callbacks.md#signin).
 *
 * 1. `callbacks.signIn` decides; a string redirects there without signing in.
 * 2. link: the user is found or created. If the owner of an address has to decide first, they are redirected to
 *    `confirm-address` without signing in.
 * 3. issue: a new session; its cookies and a new CSRF token are added to the jar only after everything before has
 *    succeeded.
 * 4. the `signIn` event.
 *
 * @param callbackUrl the destination afterwards; already validated.
 * @returns where to redirect to.
 * @throws AccessDenied, and the errors of linking and issuing.
 */
export async function completeSignIn(context: FlowContext, identity: Identity, callbackUrl: string): Promise<string> {
  const way = wayOf(identity);
  const hasDatabase = context.config.adapter !== undefined;
  const known = hasDatabase ? await way.findUser(context, identity) : null;
  const elsewhere = await askSignInCallback(context, identity, known);
  if (elsewhere !== null) return elsewhere;
  const resolved = hasDatabase
    ? await way.resolveUser(context, identity, known)
    : { user: withoutDatabase(identity), isNewUser: false };
  if ("unproven" in resolved) return storeAddressProof(context, resolved, callbackUrl);
  const { isNewUser, added = false } = resolved;
  const user = await joinPendingAddress(context, resolved);
  const { account, profile }: ClaimedIdentity = identity;
  const session = await strategyOf(context.config).issue(context, { user, account, profile, isNewUser });
  // Adding an account or passkey authenticates only that one: it does not count as a new sign-in.
  const at = added ? await signedInAt(context, user.id) : context.now();
  await rememberSignInTime(context, user.id, at);
  await renewCsrfToken(context, session);
  forgetCallbackUrl(context);
  await context.emit("signIn", { user, account, isNewUser, ...(profile === undefined ? {} : { profile }) });
  return isNewUser ? newUserUrl(context, callbackUrl) : callbackUrl;
}

/**
 * Without a database the identity is the user, and `token.sub` is the same at each sign-in (decisions/006). Two providers
 * may use one id for two accounts, so the provider is part of the user's id. A provider id cannot contain `|`, so no two
 * pairs result in the same text. The id that `authorize` returned belongs to the application and is unchanged.
 */
function withoutDatabase({ kind, user, account }: Identity): User {
  return kind === "oauth" ? { ...user, id: `${account.provider}|${account.providerAccountId}` } : user;
}

/** The link is consumed; its proof is stored until the owner of the address has decided. */
async function storeAddressProof(
  context: FlowContext,
  { unproven, identity: { provider, account, provenAt } }: UnprovenUser,
  callbackUrl: string,
): Promise<string> {
  await storePendingAddress(context, provider, unproven, { email: account.providerAccountId, provenAt, callbackUrl });
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
