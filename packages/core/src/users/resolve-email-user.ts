import { callAdapter } from "../application/call-adapter.ts";
import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { randomUuid } from "../crypto/primitives.ts";
import type { AdapterUser } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { AdapterError, Verification } from "../model/errors.ts";
import type { AddressProvider } from "../model/resolved-provider.ts";
import { decideEmailLinking } from "../protocol/account-linking.ts";
import { isSameId } from "../protocol/same-id.ts";
import { contextMember } from "../protocol/sign-in-context.ts";
import { canHandOver, isAddressProven, isStillProven } from "../session/unproven-address.ts";
import { markProven } from "./address-proof.ts";
import type { CreatedUser } from "./create-user.ts";
import { findUserByAddress } from "./find-user.ts";
import { handOver, mayHaveOtherWaysIn } from "./hand-over.ts";
import type { EmailIdentity } from "./identity.ts";
import type { UserDecision } from "./resolved-user.ts";
import { startFresh } from "./start-fresh.ts";

/**
 * Decides which user a proven e-mail address belongs to. An existing user who never proved the address is not signed in, unless
 * it is certain that nothing else gives access to them; see {@link decideEmailLinking}.
 *
 * @returns `unproven` if the owner of the address must decide.
 * @throws AdapterError.
 */
export async function decideEmailUser(
  context: FlowContext,
  identity: EmailIdentity,
  owner: AdapterUser | null,
): Promise<UserDecision> {
  if (identity.startsFresh) return { kind: "new", carryOut: () => startFresh(context, identity) };
  if (owner === null) return { kind: "new", carryOut: () => createEmailUser(context, identity) };
  const { kind } = decideEmailLinking(await gatherFacts(context, identity, owner));
  if (kind === "ask") return { kind: "unproven", unproven: owner, identity };
  const carryOut = kind === "hand-over" ? handOverTo : proveAddress;
  return { kind: "existing", user: owner, carryOut: () => carryOut(context, identity, owner) };
}

async function handOverTo(context: FlowContext, identity: EmailIdentity, owner: AdapterUser) {
  const user = await handOver(context, owner, identity.provenAt);
  return user === null ? { unproven: owner, identity } : { user, isNewUser: false };
}

async function proveAddress(context: FlowContext, identity: EmailIdentity, owner: AdapterUser) {
  return { user: await proveAgain(context, owner, identity.provenAt), isNewUser: false };
}

/**
 * Marks the address as verified at the time of this link, which voids older links. The callbacks may have taken long since the
 * look-up: if an undone hand-over has removed the mark in the meantime, it is not set again.
 *
 * @throws Verification if the mark was removed.
 */
async function proveAgain(context: FlowContext, owner: AdapterUser, provenAt: Date): Promise<AdapterUser> {
  const { config } = context;
  const row = canHandOver(config) ? await callAdapter(config, "getUser", owner.id) : owner;
  if (isStillProven(context, owner, row)) return markProven(context, owner, provenAt);
  throw new Verification("The user changed during the sign-in. Open the link again.");
}

/** Expensive facts are looked up only for a user who never verified the address. */
async function gatherFacts(context: FlowContext, { provider }: EmailIdentity, owner: AdapterUser) {
  const emailVerified = isAddressProven(owner);
  const linkByEmail = provider.allowDangerousEmailAccountLinking;
  const isVouchedFor = !emailVerified && !linkByEmail && (await isVouched(context, provider, owner));
  const isOpen = !emailVerified && !linkByEmail && !isVouchedFor;
  return {
    sameEmail: { id: owner.id, emailVerified },
    linkByEmail,
    isVouchedFor,
    mayHaveOtherWaysIn: isOpen && (await mayHaveOtherWaysIn(context.config, owner)),
  };
}

/** Only `true` vouches; a failure is logged and does not vouch. */
async function isVouched(context: FlowContext, provider: AddressProvider, owner: AdapterUser): Promise<boolean> {
  if (provider.ownsAddress === undefined) return false;
  try {
    const answer: unknown = await withTimeout(APPLICATION_TIMEOUT_MS, provider.ownsAddress(owner));
    return answer === true;
  } catch (error) {
    context.logger.error(toError(error));
    return false;
  }
}

async function createEmailUser(context: FlowContext, identity: EmailIdentity): Promise<CreatedUser | "changed"> {
  const { config } = context;
  const email = identity.account.providerAccountId;
  const draft = { id: randomUuid(), name: null, image: null, email, emailVerified: identity.provenAt };
  try {
    const user = await callAdapter(config, "createUser", draft).catch(async (error: unknown) => {
      const holder = await findUserByAddress(config, identity.spelling ?? email);
      if (holder === null) throw error;
      // With our own random id, the write succeeded and only its response was lost. Otherwise another sign-up was faster.
      return isSameId(holder.id, draft.id) ? holder : null;
    });
    if (user === null) return "changed";
    await complete(context, identity, user);
    await context.emit("createUser", { user, ...contextMember(identity.context) });
    return { user, isNewUser: true };
  } catch (error) {
    if (error instanceof AdapterError) error.during = "email-sign-up";
    throw error;
  }
}

/** Stores what belongs to the new user, such as a password. If that fails, the user is deleted. */
async function complete(context: FlowContext, { created }: EmailIdentity, user: AdapterUser): Promise<void> {
  if (created === undefined) return;
  try {
    await created(user);
  } catch (error) {
    await callAdapter(context.config, "deleteUser", user.id).catch((failure: unknown) =>
      context.logger.error(toError(failure)),
    );
    throw error;
  }
}
