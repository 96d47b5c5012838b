import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { AccessDenied } from "../model/errors.ts";
import type { User } from "../model/records.ts";
import { isSameId } from "../protocol/same-id.ts";
import { findAccountOwner, findUserByAddress } from "../users/find-user.ts";
import type { Identity } from "../users/identity.ts";
import type { UserDecision } from "../users/resolved-user.ts";
import type { Decided, SignIn } from "./sign-in.ts";
import { wayOf } from "./ways.ts";

/**
 * Decides who signs in. Only reads. After an extension interrupted the sign-in, the user, and what would be added to them, must be
 * unchanged, because the user's proof was given for that.
 *
 * @param found the user to whom the identity belongs, if the caller has just looked.
 * @throws AccessDenied if the user of an interrupted sign-in changed; errors of the sign-in method.
 */
export async function decideUser(
  context: FlowContext,
  { identity, interrupted }: SignIn,
  found?: { readonly known: AdapterUser | null },
): Promise<UserDecision> {
  if (interrupted === undefined) return decideAnew(context, identity, found);
  const { userId, adds, isNewUser } = interrupted;
  const decision = isNewUser ? await decideCreated(context, identity) : await decideAnew(context, identity);
  const isSame = decision?.kind === "existing" && isSameUser(decision.user, { id: userId });
  if (isSame && (decision.adds === true) === adds) return decision;
  throw new AccessDenied("The user of this sign-in changed while it was pending. Sign in again.");
}

async function decideAnew(
  context: FlowContext,
  identity: Identity,
  found?: { readonly known: AdapterUser | null },
): Promise<UserDecision> {
  if (context.config.adapter === undefined) return decideWithoutDatabase(identity);
  const { known } = found ?? { known: await wayOf(identity).findUser(context, identity) };
  return wayOf(identity).decideUser(context, identity, known);
}

/**
 * Without a database, the identity is the user, and `token.sub` is the same at each sign-in (decisions/006). Two
 * providers may use the same id for different accounts, so the provider is part of the user's id. A provider id cannot
 * contain a `|`, so the combination is unambiguous. An id returned by `authorize` is the application's own and is not
 * changed; `admit.ts` rejects one that is the id of a provider's user.
 */
function decideWithoutDatabase({ kind, user: given, account }: Identity): UserDecision {
  const id = `${account.provider}|${account.providerAccountId}`;
  const user = kind === "oauth" ? { ...given, id } : given;
  return { kind: "existing", user, write: async () => ({ user, isNewUser: false }) };
}

/** The user whom this sign-in created before it was interrupted, if its account still belongs to them. Everything is written. */
async function decideCreated(context: FlowContext, identity: Identity): Promise<UserDecision | null> {
  const { kind, account } = identity;
  const find = () => findUserByAddress(context.config, account.providerAccountId);
  const user = await (kind === "email" ? find() : findAccountOwner(context, identity));
  return user && { kind: "existing", user, write: async () => ({ user, isNewUser: true }) };
}

/** Whether a decision is the one that was made before. */
export function isSameDecision(one: Decided, other: UserDecision): other is Decided {
  if (one === other) return true;
  if (one.kind === "new" || other.kind !== "existing") return one.kind === other.kind;
  return one.kind === "existing" && isSameUser(one.user, other.user) && one.adds === other.adds;
}

/** Whether two users are the same; without a database, by the id of their account. */
export function isSameUser(one: User, other: User): boolean {
  return one.id === other.id || isSameId(one.id, other.id);
}
