import { callAdapter } from "../application/call-adapter.ts";
import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { randomUuid } from "../crypto/primitives.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { AdapterError } from "../model/errors.ts";
import type { ResolvedEmailProvider } from "../model/resolved-config.ts";
import { toError } from "../model/to-error.ts";
import { decideEmailLinking } from "../protocol/account-linking.ts";
import { isAddressProven } from "../session/unproven-address.ts";
import { markProven } from "./address-proof.ts";
import type { CreatedUser } from "./create-user.ts";
import { findUserByAddress } from "./find-user-by-address.ts";
import { handOver, mayHaveOtherWaysIn } from "./hand-over.ts";
import type { Identity } from "./identity.ts";

/** A user with a proven address that was never proven before, and who may therefore be someone else's. */
export interface UnprovenUser {
  readonly unproven: AdapterUser;
}

/**
 * Finds or creates the user of a proven e-mail address. A user whose address was never proven is not signed in to, unless it
 * is certain that nothing else leads to them: see {@link decideEmailLinking}.
 *
 * @returns `unproven` when the owner of the address has to decide.
 * @throws AdapterError.
 */
export async function resolveEmailUser(
  context: FlowContext,
  identity: Identity,
  owner: AdapterUser | null,
): Promise<CreatedUser | UnprovenUser> {
  if (owner === null) return createEmailUser(context, identity);
  const decision = decideEmailLinking(await gatherFacts(context, identity, owner));
  if (decision.kind === "ask") return { unproven: owner };
  if (decision.kind === "hand-over") {
    const user = await handOver(context, owner, provenAt(context, identity));
    return user === null ? { unproven: owner } : { user, isNewUser: false };
  }
  return { user: await markProven(context, owner, provenAt(context, identity)), isNewUser: false };
}

/** What costs calls is looked up only where it matters: for a user whose address was never proven. */
async function gatherFacts(context: FlowContext, identity: Identity, owner: AdapterUser) {
  const emailVerified = isAddressProven(owner);
  const provider = context.config.providers.get(identity.account.provider);
  const email = provider?.kind === "email" ? provider : undefined;
  const linkByEmail = email?.allowDangerousEmailAccountLinking === true;
  const isVouchedFor = !emailVerified && !linkByEmail && (await isVouched(context, email, owner));
  const isOpen = !emailVerified && !linkByEmail && !isVouchedFor;
  return {
    sameEmail: { id: owner.id, emailVerified },
    linkByEmail,
    isVouchedFor,
    mayHaveOtherWaysIn: isOpen && (await mayHaveOtherWaysIn(context.config, owner)),
  };
}

/** Only `true` vouches; a failure is logged and vouches for nothing. */
async function isVouched(
  context: FlowContext,
  provider: ResolvedEmailProvider | undefined,
  owner: AdapterUser,
): Promise<boolean> {
  if (provider?.ownsAddress === undefined) return false;
  try {
    const answer: unknown = await withTimeout(APPLICATION_TIMEOUT_MS, provider.ownsAddress(owner));
    return answer === true;
  } catch (error) {
    context.logger.error(toError(error));
    return false;
  }
}

async function createEmailUser(context: FlowContext, identity: Identity): Promise<CreatedUser | UnprovenUser> {
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
    // Another sign-up was faster, or the answer of a write that succeeded was lost: the row decides.
    const user = await findUserByAddress(context.config, email);
    if (user !== null) return resolveEmailUser(context, identity, user);
    if (error instanceof AdapterError) error.during = "email-sign-up";
    throw error;
  }
}

/** When the link was sent, not when it was opened, so that of two links the order is known. */
function provenAt(context: FlowContext, identity: Identity): Date {
  return identity.provenAt ?? new Date(context.now() * 1000);
}
