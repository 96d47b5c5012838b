import { randomUuid } from "../crypto/primitives.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { AccountNotLinked, AdapterError } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { decideEmailLinking } from "../protocol/account-linking.ts";
import { adapterHas, callAdapter } from "../session/call-adapter.ts";
import type { CreatedUser } from "./create-user.ts";
import type { Identity } from "./identity.ts";

/**
 * Finds or makes the user of a proven e-mail address (contract 6.3).
 *
 * @throws AccountNotLinked when the address was never proven and whoever planted its user cannot be evicted; AdapterError.
 */
export async function resolveEmailUser(
  context: FlowContext,
  identity: Identity,
  owner: AdapterUser | null,
): Promise<CreatedUser> {
  if (owner === null) return createEmailUser(context, identity);
  const { config } = context;
  const emailVerified = owner.emailVerified instanceof Date;
  const decision = decideEmailLinking({
    sameEmail: { id: owner.id, emailVerified },
    canEvict: adapterHas(config, "listAccountsByUserId", "unlinkAccount", "deleteSessionsByUserId"),
    hasOthers: emailVerified ? false : await hasOtherWaysIn(config, owner.id),
  });
  if (decision.kind === "refuse") {
    throw new AccountNotLinked(
      "The address was never proven before, so its user may have been planted; the adapter lacks the methods to unlink their accounts and end their sessions.",
      { cause: { provider: identity.account.provider } },
    );
  }
  if (decision.kind === "sign-in" && decision.evictOthers) await evict(config, owner.id);
  return { user: await markProven(context, owner, provenAt(context, identity)), isNewUser: false };
}

async function createEmailUser(context: FlowContext, identity: Identity): Promise<CreatedUser> {
  const email = identity.account.providerAccountId;
  const draft: AdapterUser = {
    id: randomUuid(),
    name: null,
    image: null,
    email,
    emailVerified: provenAt(context, identity),
  };
  try {
    const user = await callAdapter(context.config, "createUser", draft);
    await context.emit("createUser", { user });
    return { user, isNewUser: true };
  } catch (error) {
    // Somebody was faster, or the answer of a write that succeeded was lost: the address is proven, so it is theirs either way.
    const user = await callAdapter(context.config, "getUserByEmail", email);
    if (user !== null && user !== undefined) return resolveEmailUser(context, identity, user);
    if (error instanceof AdapterError) error.during = "email-sign-up";
    throw error;
  }
}

/** The time of the proof is kept up to date: links that were sent before it are void (safety H175). */
async function markProven(context: FlowContext, owner: AdapterUser, emailVerified: Date): Promise<AdapterUser> {
  const change = { id: owner.id, emailVerified };
  const updated = await callAdapter(context.config, "updateUser", change);
  const user = { ...owner, ...change, ...(updated ?? {}) };
  await context.emit("updateUser", { user });
  return user;
}

/** null when the adapter cannot tell. */
async function hasOtherWaysIn(config: ResolvedConfig, userId: string): Promise<boolean | null> {
  if (!adapterHas(config, "listAccountsByUserId", "listSessionsByUserId")) return null;
  const accounts = await callAdapter(config, "listAccountsByUserId", userId);
  const sessions = await callAdapter(config, "listSessionsByUserId", userId);
  return accounts.length > 0 || sessions.length > 0;
}

async function evict(config: ResolvedConfig, userId: string): Promise<void> {
  for (const { provider, providerAccountId } of await callAdapter(config, "listAccountsByUserId", userId)) {
    await callAdapter(config, "unlinkAccount", { provider, providerAccountId });
  }
  await callAdapter(config, "deleteSessionsByUserId", userId);
}

/** The sending of the link, not its opening, so that of two links the order is known (safety H175). */
function provenAt(context: FlowContext, identity: Identity): Date {
  return identity.provenAt ?? new Date(context.now() * 1000);
}
