import { isSignInRecent } from "../cookies/sign-in-time.ts";
import { warnOnce } from "../log/warn-once.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { Changes } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import { AccountNotLinked, CallbackRouteError } from "../model/errors.ts";
import type { CredentialsIdentity, Identity, OAuthIdentity, PasskeyIdentity } from "../model/identity.ts";
import type { User } from "../model/records.ts";
import type { ResolvedUser, UserDecision } from "../session/accounts.ts";
import { adapterHas } from "../session/accounts.ts";
import type { SessionIdentity } from "../session/identify-session.ts";
import { healAddress, markProven } from "./address-proof.ts";
import type { Database } from "./call-adapter.ts";
import {
  createUserWithAccount,
  createUserWithAddress,
  findLateOwner,
  isNewPasskey,
  linkAccount,
} from "./create-user.ts";
import { type DecisionOutcome, decideLinking } from "./decision-table.ts";
import { findAccountOwner, findUserByAddress } from "./find-user.ts";
import { digestOf, gatherFacts, hasOtherMethods } from "./gather-facts.ts";
import { storePendingAddress } from "./pending-address.ts";
import { startFresh } from "./start-fresh.ts";
import { createUserWithPasskey, linkPasskey, storeUse } from "./store-passkey.ts";
import { requireAskingSession, requireRoom } from "./way-in.ts";

/** The user to whom an identity already belongs; for a new passkey, to whom it is added. Writes nothing. @throws AdapterError. */
export async function findUser(
  context: { readonly config: Database },
  identity: Identity,
): Promise<AdapterUser | null> {
  switch (identity.kind) {
    case "oauth":
      return findAccountOwner(context, identity);
    case "email": {
      const { startsFresh, spelling, account } = identity;
      return startsFresh ? null : findUserByAddress(context.config, spelling ?? account.providerAccountId);
    }
    case "credentials":
      return null;
    case "webauthn":
      return identity.details.ceremony === "register" ? identity.details.addTo : assumeOwner(identity.user);
  }
}

/** The provider of a known passkey found its owner in the database. */
function assumeOwner(user: User): AdapterUser {
  return user as AdapterUser;
}

/** Leaves room in a cookie. */
const MAX_LABEL = 200;

/**
 * Decides to whom an identity belongs: finds the facts and looks them up in the table ({@link decideLinking}). Writes nothing.
 *
 * @param known the user whom {@link findUser} found; undefined if the caller has not looked.
 * @returns `unproven` if the owner of the address must decide.
 * @throws AccountNotLinked if the table rejects the identity, CallbackRouteError if the database lacks the user that `authorize` returned;
 *   AdapterError.
 */
export async function decideUser(
  context: FlowContext,
  identity: Identity,
  known?: AdapterUser | null,
): Promise<UserDecision> {
  const found = await gatherFacts(context, identity, known === undefined ? await findUser(context, identity) : known);
  const outcome = decideLinking(found.facts);
  const { owner, session, holder, ownsAddress } = found;
  if (outcome === "sign-in") {
    const user = owner ?? holder;
    const write = (changes: Changes) => signIn(context, identity, user, changes);
    return { kind: "existing", user: user ?? identity.user, adds: false, write };
  }
  if (outcome === "ask-whose" && session !== null) {
    const { userId, fingerprint } = session;
    const label = (identity.user.email || identity.user.name || "").slice(0, MAX_LABEL);
    return { kind: "whose", account: await digestOf(identity), label, isKnown: owner !== null, userId, fingerprint };
  }
  if (identity.kind === "credentials") throw rejected(identity, outcome);
  if (identity.kind === "oauth" && holder !== null && (outcome === "ask" || outcome === "email-taken")) {
    // Another request may still be storing the account.
    const late = await findLateOwner(context, identity, holder);
    if (late !== null) return decideUser(context, identity, late);
  }
  if (outcome === "create") return { kind: "new", write: (changes) => createUser(context, identity, changes) };
  if (outcome === "start-fresh" && identity.kind !== "webauthn")
    return { kind: "new", write: (changes) => startFresh(context, identity, changes) };
  if (outcome === "ask" && identity.kind !== "webauthn" && holder !== null) {
    if (identity.kind === "email") await warnOfInvited(context, holder);
    const unproven = { unproven: holder, identity, ownsAddress };
    return { kind: "unproven", ask: (callbackUrl, undo) => storePendingAddress(context, unproven, callbackUrl, undo) };
  }
  const user = session?.user ?? holder;
  if (outcome !== "link" || identity.kind === "email" || user === null) throw rejected(identity, outcome);
  const write = (changes: Changes) => linkTo(context, identity, user, session, changes);
  return { kind: "existing", user, adds: true, write };
}

/**
 * What an identity proves about its user is stored: that the address is theirs, or the counter of their passkey. If the counter cannot be
 * stored, no session is issued (WebAuthn L3 §7.2 step 25).
 */
async function signIn(
  context: FlowContext,
  identity: Identity,
  known: AdapterUser | null,
  changes: Changes,
): Promise<ResolvedUser> {
  const { kind } = identity;
  if (known === null) return { user: identity.user, isNewUser: false };
  if (kind === "email") return { user: await markProven(context, known, identity.provenAt, changes), isNewUser: false };
  if (kind === "oauth") return { user: await healAddress(context, identity, known, changes), isNewUser: false };
  if (kind === "webauthn" && identity.details.ceremony === "authenticate") await storeUse(context, identity.details);
  return { user: known, isNewUser: false };
}

/** If another user has the address of an account by now, the account may have to be linked to them. */
async function createUser(
  context: FlowContext,
  identity: Exclude<Identity, CredentialsIdentity>,
  changes: Changes,
): Promise<ResolvedUser | "changed"> {
  if (identity.kind === "email") return createUserWithAddress(context, identity, changes);
  if (isNewPasskey(identity)) return createUserWithPasskey(context, identity, changes);
  try {
    return await createUserWithAccount(context, identity, changes);
  } catch (error) {
    if (identity.kind === "oauth" && identity.linkByEmail && error instanceof AccountNotLinked) return "changed";
    throw error;
  }
}

/**
 * An account or passkey does not prove who the user of a session is, so the session must be recent and still exist after the write. How
 * recent it is was asked of a passkey when it was verified.
 *
 * @param session the session that requests it; null if the user was found by address.
 */
async function linkTo(
  context: FlowContext,
  identity: OAuthIdentity | PasskeyIdentity,
  user: AdapterUser,
  session: SessionIdentity | null,
  changes: Changes,
): Promise<ResolvedUser> {
  if (session !== null) {
    if (identity.kind === "oauth" && !(await isSignInRecent(context, user.id)))
      throw rejected(identity, "stale-sign-in");
    requireAskingSession(context, identity, session, changes);
  }
  await requireRoom(context, identity, user.id);
  return isNewPasskey(identity)
    ? linkPasskey(context, identity, user, changes)
    : linkAccount(context, identity, user, changes);
}

/** The owner of the address meets a question that an application which invites its users can spare them. */
async function warnOfInvited(context: FlowContext, holder: AdapterUser): Promise<void> {
  const isListed = adapterHas(context.config, "listAccountsByUserId");
  if (!isListed || (await hasOtherMethods(context.config, holder))) return;
  warnOnce(
    context,
    "unproven-address: the owner of an address is asked about a user without any account, as of an invitation or an import. If your application creates users for the owners of their addresses, tell the e-mail provider which: `ownsAddress` (docs/email.md#unproven-addresses).",
  );
}

const REFUSALS = {
  "email-taken": "The e-mail address belongs to a user who signed in another way and can add this one while signed in.",
  "belongs-to-another": "The account or passkey belongs to a user other than the signed-in one.",
  "stale-sign-in": "The last sign-in is too old for linking an account. The user must sign in again (`maxSignInAge`).",
} as const;

/** @param reason any other outcome is rejected as well. */
function rejected({ account: { provider } }: Identity, reason: DecisionOutcome | "stale-sign-in"): Error {
  if (reason === "unknown-user") {
    return new CallbackRouteError(
      'authorize() returned a user whose `id` is not in the database, as database sessions require. Create the user first, or set `session.strategy: "jwt"`.',
      { cause: { provider } },
    );
  }
  const known = reason === "belongs-to-another" || reason === "stale-sign-in" ? reason : "email-taken";
  return new AccountNotLinked(REFUSALS[known], { cause: { provider, reason: known } });
}
