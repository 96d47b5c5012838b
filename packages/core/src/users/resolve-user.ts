import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { AccountNotLinked, CallbackRouteError } from "../model/errors.ts";
import type { User } from "../model/records.ts";
import { decideOAuthLinking, type KnownUser } from "../protocol/account-linking.ts";
import { isSameId } from "../protocol/same-id.ts";
import { callAdapter } from "../session/call-adapter.ts";
import { strategyOf } from "../session/select-strategy.ts";
import { createUserWithAccount, linkAccount } from "./create-user.ts";
import type { Identity } from "./identity.ts";
import { resolveEmailUser } from "./resolve-email-user.ts";
import { resolvePasskeyUser } from "./resolve-passkey-user.ts";

/** The user of a finished sign-in, and whether the sign-in made them. */
export interface ResolvedUser {
  readonly user: User | AdapterUser;
  readonly isNewUser: boolean;
}

/**
 * Finds or makes the user who an identity belongs to: loads the facts, asks the policy, carries out its decision
 * (contract 6.3). Without a database the identity is the user, under the id that the provider gave, so that `token.sub` is
 * the same at each sign-in.
 *
 * @param owner who has this account or address already.
 * @throws AccountNotLinked when the policy refuses; AdapterError when the database failed, leaving no user without an account.
 */
export async function resolveUser(
  context: FlowContext,
  identity: Identity,
  owner: AdapterUser | null,
): Promise<ResolvedUser> {
  if (context.config.adapter === undefined) return { user: identity.user, isNewUser: false };
  switch (identity.account.type) {
    case "oauth":
    case "oidc":
      return resolveOAuthUser(context, identity, owner);
    case "email":
      return resolveEmailUser(context, identity, owner);
    case "credentials":
      return resolveCredentialsUser(context, identity);
    case "webauthn":
      return resolvePasskeyUser(context, identity);
  }
}

async function resolveOAuthUser(
  context: FlowContext,
  identity: Identity,
  owner: AdapterUser | null,
): Promise<ResolvedUser> {
  const { config } = context;
  const session = await strategyOf(config).identify(context);
  const beganHere = session !== null && identity.beganIn === session.fingerprint;
  const email = owner === null ? identity.user.email : null;
  const sameEmail = email ? ((await callAdapter(config, "getUserByEmail", email)) ?? null) : null;
  const decision = decideOAuthLinking({
    owner: toKnown(owner),
    signedIn: session === null ? null : { userId: session.userId, beganHere },
    sameEmail: toKnown(sameEmail),
    linkByEmail: identity.linkByEmail === true,
    emailClaim: identity.emailClaim ?? "none",
  });
  switch (decision.kind) {
    case "sign-in":
      return { user: owner ?? identity.user, isNewUser: false };
    case "link":
      return linkTo(context, identity, decision.userId, sameEmail);
    case "create":
      return createUserWithAccount(context, identity);
    case "refuse":
      throw notLinked(identity, decision.reason);
  }
}

async function linkTo(
  context: FlowContext,
  identity: Identity,
  userId: string,
  sameEmail: AdapterUser | null,
): Promise<ResolvedUser> {
  const user =
    sameEmail !== null && isSameId(sameEmail.id, userId)
      ? sameEmail
      : await callAdapter(context.config, "getUser", userId);
  // The session outlived its user: as if nobody were signed in.
  if (user === null || user === undefined) return createUserWithAccount(context, identity);
  return linkAccount(context, identity, user);
}

/** Credentials write nothing; a database session needs its user to be there (contract 6.3). */
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
  return user === null ? null : { id: user.id, emailVerified: user.emailVerified instanceof Date };
}

function notLinked(identity: Identity, reason: string): AccountNotLinked {
  const { provider } = identity.account;
  const message =
    reason === "email-taken"
      ? "The e-mail address belongs to a user who signed in another way; they can link this account when they are signed in."
      : "The account belongs to another user than the one who is signed in.";
  return new AccountNotLinked(message, { cause: { provider, reason } });
}
