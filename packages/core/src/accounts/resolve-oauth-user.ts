import { adapterHas, callAdapter } from "../application/call-adapter.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { Changes } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import { AccountNotLinked } from "../model/errors.ts";
import type { OAuthIdentity } from "../model/identity.ts";
import { decideOAuthLinking, type KnownUser } from "../protocol/account-linking.ts";
import { isSameId } from "../protocol/same-id.ts";
import type { ResolvedUser, UserDecision } from "../session/accounts.ts";
import { identifySession, type SessionIdentity } from "../session/identify-session.ts";
import { isAddressProven } from "../session/unproven-address.ts";
import { healAddress } from "./address-proof.ts";
import { askOwnership } from "./ask-ownership.ts";
import { createUserWithAccount, findLateOwner, linkAccount } from "./create-user.ts";
import { findAccountOwner, findUserByAddress } from "./find-user.ts";
import { startFresh } from "./start-fresh.ts";
import { isSignInRecent, requireAskingSession, requireRoom } from "./way-in.ts";

/**
 * Decides which user an account at a provider belongs to: loads the facts and applies the policy.
 *
 * @param owner the user who already has this account.
 * @returns `unproven` if the owner of the address must decide.
 * @throws AccountNotLinked if the policy denies it; AdapterError if the database failed, leaving no user without an
 *   account.
 */
export async function decideOAuthUser(
  context: FlowContext,
  identity: OAuthIdentity,
  owner: AdapterUser | null,
): Promise<UserDecision> {
  const { config } = context;
  const session = await findSession(context, owner);
  const email = owner === null && identity.user.email ? (identity.spelling ?? identity.user.email) : null;
  const sameEmail = email ? await findUserByAddress(config, email) : null;
  // A concurrent sign-in with the same account may have created the user since the account was looked up.
  const late = sameEmail === null ? null : await findAccountOwner(context, identity);
  if (late !== null) return decideOAuthUser(context, identity, late);
  const startedHere = session !== null && identity.startedIn === session.fingerprint;
  const facts = await gatherFacts(context, identity, sameEmail);
  const signedIn = session === null ? null : { userId: session.userId, startedHere };
  const decision = decideOAuthLinking({ ...facts, owner: toKnown(owner), signedIn });
  switch (decision.kind) {
    case "sign-in":
      return {
        kind: "existing",
        user: owner ?? identity.user,
        write: (changes) => signIn(context, identity, owner, changes),
      };
    case "link":
      return decideLink(context, identity, startedHere ? session : null, sameEmail);
    case "create":
      return { kind: "new", write: (changes) => createUser(context, identity, changes) };
    case "start-fresh":
      return { kind: "new", write: (changes) => startFresh(context, identity, changes) };
    case "ask":
    case "refuse": {
      // Another request may still be storing the account.
      const late = sameEmail === null ? null : await findLateOwner(context, identity, sameEmail);
      if (late !== null) return decideOAuthUser(context, identity, late);
      if (decision.kind === "refuse") throw notLinked(identity, decision.reason);
      if (sameEmail === null) throw notLinked(identity, "email-taken");
      return { kind: "unproven", unproven: sameEmail, identity, ownsAddress: facts.ownsAddress };
    }
  }
}

/** Facts about the user with the same address. The application is asked only about one who never verified it. */
async function gatherFacts(context: FlowContext, identity: OAuthIdentity, sameEmail: AdapterUser | null) {
  const { linkByEmail, emailClaim, startsFresh } = identity;
  const canAsk = (["createVerificationToken", "useVerificationToken", "updateUser"] as const).every((method) =>
    adapterHas(context.config, method),
  );
  const isOpen = canAsk && sameEmail !== null && !isAddressProven(sameEmail);
  const ownsAddress = isOpen && (await isAuthority(context, identity, sameEmail));
  return { sameEmail: toKnown(sameEmail), linkByEmail, emailClaim, startsFresh, canAsk, ownsAddress };
}

/** Whether the provider is the authority for a verified address (`ownsAddresses`). */
async function isAuthority(
  context: FlowContext,
  { account, user, profile, emailClaim }: OAuthIdentity,
  owner: AdapterUser,
): Promise<boolean> {
  const provider = context.config.providers.get(account.provider);
  if (provider?.kind !== "oauth" || provider.ownsAddresses === undefined || emailClaim !== "verified") return false;
  const { id, ownsAddresses } = provider;
  const call = () => ownsAddresses(user.email ?? "", profile);
  return askOwnership(context, { name: "ownsAddresses", provider: id, call }, owner);
}

/** If another user has the address by now, the account may have to be linked to them. */
async function createUser(
  context: FlowContext,
  identity: OAuthIdentity,
  changes: Changes,
): Promise<ResolvedUser | "changed"> {
  try {
    return await createUserWithAccount(context, identity, changes);
  } catch (error) {
    if (identity.linkByEmail && error instanceof AccountNotLinked) return "changed";
    throw error;
  }
}

async function signIn(
  context: FlowContext,
  identity: OAuthIdentity,
  owner: AdapterUser | null,
  changes: Changes,
): Promise<ResolvedUser> {
  const user = owner === null ? identity.user : await healAddress(context, identity, owner, changes);
  return { user, isNewUser: false };
}

/** @param session the session that requests the account; null if the user was found by address. */
function decideLink(
  context: FlowContext,
  identity: OAuthIdentity,
  session: UserSession | null,
  sameEmail: AdapterUser | null,
): UserDecision {
  if (session !== null) {
    const write = (changes: Changes) => addAccount(context, identity, session, changes);
    return { kind: "existing", user: session.user, adds: true, write };
  }
  if (sameEmail === null) throw notLinked(identity, "email-taken");
  const write = (changes: Changes) => linkTo(context, identity, sameEmail, changes);
  return { kind: "existing", user: sameEmail, adds: true, write };
}

/** A session and its user. */
interface UserSession extends SessionIdentity {
  readonly user: AdapterUser;
}

/**
 * The session that could affect the decision; null if its user no longer exists. A session token may outlive its user, and
 * is then ignored.
 */
async function findSession(context: FlowContext, owner: AdapterUser | null): Promise<UserSession | null> {
  const session = await identifySession(context, { isFresh: true });
  if (session === null) return null;
  if (owner !== null && isSameId(owner.id, session.userId)) return { ...session, user: owner };
  const user = await callAdapter(context.config, "getUser", session.userId);
  return user === null ? null : { ...session, user };
}

/** An account does not prove who the session's user is, so the session must be recent and still exist after the write. */
async function addAccount(
  context: FlowContext,
  identity: OAuthIdentity,
  session: UserSession,
  changes: Changes,
): Promise<ResolvedUser> {
  const { user } = session;
  if (!(await isSignInRecent(context, user.id))) throw notLinked(identity, "stale-sign-in");
  requireAskingSession(context, identity, session, changes);
  return linkTo(context, identity, user, changes);
}

async function linkTo(
  context: FlowContext,
  identity: OAuthIdentity,
  user: AdapterUser,
  changes: Changes,
): Promise<ResolvedUser> {
  await requireRoom(context, identity, user.id);
  return { ...(await linkAccount(context, identity, user, changes)), added: true };
}

function toKnown(user: AdapterUser | null): KnownUser | null {
  return user === null ? null : { id: user.id, emailVerified: isAddressProven(user) };
}

const REFUSALS = {
  "email-taken":
    "The e-mail address belongs to a user who signed in another way and can link this account while signed in.",
  "belongs-to-another": "The account belongs to a user other than the signed-in one.",
  "stale-sign-in": "The last sign-in is too old for linking an account. The user must sign in again (`maxSignInAge`).",
} as const;

function notLinked({ account: { provider } }: OAuthIdentity, reason: keyof typeof REFUSALS): AccountNotLinked {
  return new AccountNotLinked(REFUSALS[reason], { cause: { provider, reason } });
}
