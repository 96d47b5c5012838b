import { callAdapter } from "../application/call-adapter.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { AccountNotLinked, CallbackRouteError } from "../model/errors.ts";
import type { User } from "../model/records.ts";
import { decideOAuthLinking, type KnownUser } from "../protocol/account-linking.ts";
import { isSameId } from "../protocol/same-id.ts";
import { strategyOf } from "../session/select-strategy.ts";
import type { SessionIdentity } from "../session/strategy.ts";
import { isAddressProven } from "../session/unproven-address.ts";
import { healAddress } from "./address-proof.ts";
import { createUserWithAccount, linkAccount } from "./create-user.ts";
import { deferEvents } from "./defer-events.ts";
import { findUserByAddress } from "./find-user-by-address.ts";
import type { Identity } from "./identity.ts";
import { isSignInRecent } from "./recent-sign-in.ts";
import { resolveEmailUser, type UnprovenUser } from "./resolve-email-user.ts";
import { resolvePasskeyUser } from "./resolve-passkey-user.ts";
import { startFresh } from "./start-fresh.ts";
import { requireRoom, requireSameSession } from "./way-in.ts";

/** The user of a finished sign-in. */
export interface ResolvedUser {
  readonly user: User | AdapterUser;
  /** Whether the sign-in created the user. */
  readonly isNewUser: boolean;
  /** True when the account or passkey was only now added to the user: it does not count as a sign-in of that user. */
  readonly added?: boolean;
}

/**
 * Finds or creates the user whom an identity belongs to: loads the facts, applies the policy, carries out its decision.
 * Without a database the identity is the user, and `token.sub` is the same at each sign-in (decisions/006).
 *
 * @param owner who has this account or address already.
 * @throws AccountNotLinked when the policy refuses; AdapterError when the database failed, leaving no user without an account.
 */
export async function resolveUser(
  context: FlowContext,
  identity: Identity,
  owner: AdapterUser | null,
): Promise<ResolvedUser | UnprovenUser> {
  if (context.config.adapter === undefined) return { user: withoutDatabase(identity), isNewUser: false };
  switch (identity.account.type) {
    case "oauth":
    case "oidc":
      return resolveOAuthUser(context, identity, owner);
    case "email":
      return identity.startsFresh === true ? startFresh(context, identity) : resolveEmailUser(context, identity, owner);
    case "credentials":
      return resolveCredentialsUser(context, identity);
    case "webauthn":
      return resolvePasskeyUser(context, identity);
  }
}

/**
 * Two providers may use one id for two accounts, so that the provider is part of the user's id. It cannot hold a `|`, so that no
 * two pairs become the same text. What `authorize` returned is the application's own id and stays.
 */
function withoutDatabase({ user, account }: Identity): User {
  const isForeign = account.type === "oauth" || account.type === "oidc";
  return isForeign ? { ...user, id: `${account.provider}|${account.providerAccountId}` } : user;
}

async function resolveOAuthUser(
  context: FlowContext,
  identity: Identity,
  owner: AdapterUser | null,
): Promise<ResolvedUser> {
  const { config } = context;
  const session = await findSession(context, owner);
  const email = owner === null ? identity.user.email : null;
  const sameEmail = email ? await findUserByAddress(config, email) : null;
  const startedHere = session !== null && identity.startedIn === session.fingerprint;
  const decision = decideOAuthLinking({
    owner: toKnown(owner),
    signedIn: session === null ? null : { userId: session.userId, startedHere },
    sameEmail: toKnown(sameEmail),
    linkByEmail: identity.linkByEmail === true,
    emailClaim: identity.emailClaim ?? "none",
  });
  switch (decision.kind) {
    case "sign-in":
      return { user: owner === null ? identity.user : await healAddress(context, identity, owner), isNewUser: false };
    case "link":
      return session !== null && startedHere
        ? addAccount(context, identity, session)
        : linkByEmail(context, identity, sameEmail);
    case "create":
      return createUserWithAccount(context, identity);
    case "refuse":
      throw notLinked(identity, decision.reason);
  }
}

/** A session and its user. */
interface UserSession extends SessionIdentity {
  readonly user: AdapterUser;
}

/**
 * The session that could matter to the decision; null when its user no longer exists. A session token may outlive its user,
 * and then counts for nothing.
 */
async function findSession(context: FlowContext, owner: AdapterUser | null): Promise<UserSession | null> {
  const session = await strategyOf(context.config).identify(context);
  if (session === null) return null;
  if (owner !== null && isSameId(owner.id, session.userId)) return { ...session, user: owner };
  const user = await callAdapter(context.config, "getUser", session.userId);
  return user === null || user === undefined ? null : { ...session, user };
}

/** The account proves itself only, so that the session must be recent and must still be there after the write. */
async function addAccount(context: FlowContext, identity: Identity, session: UserSession): Promise<ResolvedUser> {
  const { user, fingerprint } = session;
  if (!(await isSignInRecent(context, user.id))) throw notLinked(identity, "stale-sign-in");
  await requireRoom(context, identity, user.id);
  const held = deferEvents(context);
  const linked = await linkAccount(held.context, identity, user);
  await requireSameSession(context, identity, user.id, fingerprint);
  await held.release();
  return { ...linked, added: true };
}

async function linkByEmail(context: FlowContext, identity: Identity, user: AdapterUser | null): Promise<ResolvedUser> {
  if (user === null) throw notLinked(identity, "email-taken");
  await requireRoom(context, identity, user.id);
  return { ...(await linkAccount(context, identity, user)), added: true };
}

/** Credentials write nothing; a database session requires its user to exist. */
async function resolveCredentialsUser(context: FlowContext, identity: Identity): Promise<ResolvedUser> {
  if (context.config.session.strategy === "jwt") return { user: identity.user, isNewUser: false };
  const user = await callAdapter(context.config, "getUser", identity.account.providerAccountId);
  if (user !== null && user !== undefined) return { user: identity.user, isNewUser: false };
  throw new CallbackRouteError(
    'authorize() returned a user whose `id` is not in the database, which a database session needs. Create the user first, or use `session.strategy: "jwt"`.',
    { cause: { provider: identity.account.provider } },
  );
}

function toKnown(user: AdapterUser | null): KnownUser | null {
  return user === null ? null : { id: user.id, emailVerified: isAddressProven(user) };
}

const REFUSALS = {
  "email-taken":
    "The e-mail address belongs to a user who signed in another way; they can link this account when they are signed in.",
  "belongs-to-another": "The account belongs to another user than the one who is signed in.",
  "stale-sign-in": "The user signed in too long ago to link an account; they need to sign in again (`maxSignInAge`).",
} as const;

function notLinked({ account: { provider } }: Identity, reason: keyof typeof REFUSALS): AccountNotLinked {
  return new AccountNotLinked(REFUSALS[reason], { cause: { provider, reason } });
}
