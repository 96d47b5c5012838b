import { adapterHas, callAdapter } from "../application/call-adapter.ts";
import { randomUuid } from "../crypto/primitives.ts";
import { warnOnce } from "../log/warn-once.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { Changes } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import { AdapterError } from "../model/errors.ts";
import type { EmailIdentity } from "../model/identity.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { AddressProvider } from "../model/resolved-provider.ts";
import { decideEmailLinking } from "../protocol/account-linking.ts";
import { isSameId } from "../protocol/same-id.ts";
import { contextMember } from "../protocol/sign-in-context.ts";
import type { UserDecision } from "../session/accounts.ts";
import { isAddressProven } from "../session/unproven-address.ts";
import { markProven } from "./address-proof.ts";
import { askOwnership } from "./ask-ownership.ts";
import { type CreatedUser, removing } from "./create-user.ts";
import { findUserByAddress } from "./find-user.ts";
import { startFresh } from "./start-fresh.ts";

/**
 * Decides which user a proven e-mail address belongs to: loads the facts and applies the policy, {@link decideEmailLinking}.
 *
 * @returns `unproven` if the owner of the address must decide.
 * @throws AdapterError.
 */
export async function decideEmailUser(
  context: FlowContext,
  identity: EmailIdentity,
  owner: AdapterUser | null,
): Promise<UserDecision> {
  if (identity.startsFresh) return { kind: "new", write: (changes) => startFresh(context, identity, changes) };
  if (owner === null) return { kind: "new", write: (changes) => createEmailUser(context, identity, changes) };
  const { kind } = decideEmailLinking(await gatherFacts(context, identity, owner));
  if (kind === "ask") {
    await warnOfInvited(context, owner);
    return { kind: "unproven", unproven: owner, identity, ownsAddress: false };
  }
  const write = async (changes: Changes) => ({
    user: await markProven(context, owner, identity.provenAt, changes),
    isNewUser: false,
  });
  return { kind: "existing", user: owner, write };
}

/** Expensive facts are looked up only for a user who never verified the address. */
async function gatherFacts(context: FlowContext, { provider }: EmailIdentity, owner: AdapterUser) {
  const emailVerified = isAddressProven(owner);
  const linkByEmail = provider.allowDangerousEmailAccountLinking;
  const isVouchedFor = !emailVerified && !linkByEmail && (await isVouched(context, provider, owner));
  const isOpen = !emailVerified && !linkByEmail && !isVouchedFor;
  const isOnlyWayIn = isOpen && isOnlyEmail(context.config) && !(await hasOtherWaysIn(context.config, owner));
  return { sameEmail: { id: owner.id, emailVerified }, linkByEmail, isVouchedFor, isOnlyWayIn };
}

/** The owner of the address meets a question that an application which invites its users can spare them. */
async function warnOfInvited(context: FlowContext, owner: AdapterUser): Promise<void> {
  const isListed = adapterHas(context.config, "listAccountsByUserId");
  if (!isListed || (await hasOtherWaysIn(context.config, owner))) return;
  warnOnce(
    context,
    "unproven-address: the owner of an address is asked about a user without any account, as of an invitation or an import. If your application creates users for the owners of their addresses, tell the e-mail provider which: `ownsAddress` (docs/email.md#unproven-addresses).",
  );
}

/** Whether every sign-in method proves the address: no one else can then have created its user, or signed in as them. */
function isOnlyEmail({ providers }: ResolvedConfig): boolean {
  return [...providers.values()].every(({ kind }) => kind === "email");
}

/** Whether the user has a sign-in method of an earlier configuration, or of the application, as far as the adapter lists them. */
async function hasOtherWaysIn(config: ResolvedConfig, user: AdapterUser): Promise<boolean> {
  if (Object.entries(user).some(([name, value]) => PASSWORD_COLUMN.test(name) && Boolean(value))) return true;
  for (const list of ["listAccountsByUserId", "listAuthenticatorsByUserId", "listCredentialsByUserId"] as const) {
    if (adapterHas(config, list) && (await callAdapter(config, list, user.id)).length > 0) return true;
  }
  return false;
}

/** An application may store passwords in the users table for its own sign-in. */
const PASSWORD_COLUMN = /pass|pwd|hash|secret/i;

async function isVouched(context: FlowContext, provider: AddressProvider, owner: AdapterUser): Promise<boolean> {
  const { id, ownsAddress } = provider;
  if (ownsAddress === undefined) return false;
  return askOwnership(context, { name: "ownsAddress", provider: id, call: () => ownsAddress(owner) }, owner);
}

async function createEmailUser(
  context: FlowContext,
  { account, provenAt, spelling, created, context: own }: EmailIdentity,
  { undo, announcements }: Changes,
): Promise<CreatedUser | "changed"> {
  const { config } = context;
  const email = account.providerAccountId;
  const draft = { id: randomUuid(), name: null, image: null, email, emailVerified: provenAt };
  try {
    const user = await callAdapter(config, "createUser", draft).catch(async (error: unknown) => {
      const holder = await findUserByAddress(config, spelling ?? email);
      if (holder === null) throw error;
      // With our own random id, the write succeeded and only its response was lost. Otherwise another sign-up was faster.
      return isSameId(holder.id, draft.id) ? holder : null;
    });
    if (user === null) return "changed";
    undo.push(removing(context, user));
    // What belongs to the new user, such as a password.
    await created?.(user);
    announcements.push(() => context.emit("createUser", { user, ...contextMember(own) }));
    return { user, isNewUser: true };
  } catch (error) {
    if (error instanceof AdapterError) error.during = "email-sign-up";
    throw error;
  }
}
