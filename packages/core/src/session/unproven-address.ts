import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { AccessDenied } from "../model/errors.ts";
import type { JWT } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { AddressProvider } from "../model/resolved-provider.ts";
import { isRemovedAddress } from "../protocol/removed-address.ts";
import { isId, isSameId } from "../protocol/same-id.ts";
import { claimedChecks, requireChecks } from "../protocol/session-facts.ts";
import { adapterHas, requireAccounts } from "./accounts.ts";
import type { SignedIn } from "./strategy.ts";

/**
 * Session tokens of users who never verified their address. The owner of the address may take it from such a user
 * (docs/email.md), but the token would still contain it: an application that looks up its user by `token.email` would
 * give the holder of that token access to the owner's account. If e-mail sign-in, or a provider's `ownsAddresses`, is
 * configured, such a session therefore ends when its user loses the address.
 */

/** Id and address of the user, in a token that was created while the address was unverified. */
interface UnprovenClaim {
  readonly id: string;
  readonly email: string;
}

/** Whether the user ever verified their e-mail address. An unreadable time does not count. */
export function isAddressProven(user: object): boolean {
  const emailVerified: unknown = "emailVerified" in user ? user.emailVerified : undefined;
  if (typeof emailVerified !== "string" && typeof emailVerified !== "number" && !(emailVerified instanceof Date)) {
    return false;
  }
  return emailVerified !== "" && !Number.isNaN(new Date(emailVerified).getTime());
}

/**
 * The claim for a new token; undefined if the address is verified or cannot be taken from the user.
 *
 * 1. The user is read again, so that an address removed during the sign-in does not reach a token.
 * 2. A replica may not have them yet: then the user of the sign-in counts. Users of credentials may be stored elsewhere, and have no claim.
 *
 * @throws AccessDenied if it was removed during the sign-in; AdapterError.
 */
export async function unprovenClaim(
  context: FlowContext,
  { user, identity: { account } }: SignedIn,
): Promise<UnprovenClaim | undefined> {
  const { id, email } = user;
  if (!email || !isId(id) || isAddressProven(user) || !mayLoseAddress(context)) return undefined;
  const isElsewhere = account.type === "credentials";
  const row = (await readStored(context, id, email)) ?? (isElsewhere ? null : user);
  if (!row || isAddressProven(row)) return undefined;
  if (row.email) return { id, email: row.email };
  if (isElsewhere) return undefined;
  throw new AccessDenied("The owner of the e-mail address claimed it during the sign-in. Sign in again.");
}

/**
 * The claim for a token whose address `callbacks.jwt` changed after the sign-in, as applications do if users change theirs.
 *
 * @throws AdapterError.
 */
export async function changedClaim(context: FlowContext, { sub, email }: JWT): Promise<UnprovenClaim | undefined> {
  if (!email || !isId(sub) || !mayLoseAddress(context)) return undefined;
  const row = await readStored(context, sub, email);
  return row?.email && !isAddressProven(row) ? { id: row.id, email: row.email } : undefined;
}

/**
 * The user of a token; null if they are not in this database. A credentials user may be stored elsewhere, and a database may reject their
 * id, as a column of UUIDs does. Their address then tells whether they are its user, unless the database failed.
 */
async function readStored({ config }: FlowContext, id: string, email: string): Promise<AdapterUser | null> {
  const { records } = requireAccounts(config);
  return records.call("getUser", id).catch(async (error: unknown) => {
    const holder = await records.call("getUserByEmail", email);
    if (holder !== null && isSameId(holder.id, id)) throw error;
    return null;
  });
}

/** Whether a token contains an address that its user may lose. */
function hasUnproven(token: JWT): token is JWT & { readonly unproven: object } {
  return typeof token.unproven === "object" && token.unproven !== null;
}

/**
 * The claims of a token, if its user still has the address that they contain. A user who changed their address keeps the
 * session: the token then contains the new one, unless the application stored the former one elsewhere in it.
 *
 * @returns null if the session is over: the address was taken from the user.
 * @throws AdapterError; SessionUnavailable without a database to look it up in.
 */
export async function withCurrentAddress(context: FlowContext, token: JWT): Promise<JWT | null> {
  // Most tokens name no such address: they are not copied.
  if (!hasUnproven(token)) return token;
  if (!adapterHas(context.config, "getUser")) requireChecks(claimedChecks(token));
  if (!mayLoseAddress(context)) return token;
  const { unproven, email: named, ...others } = token;
  const { id, email }: { readonly id?: unknown; readonly email?: unknown } = unproven;
  if (!isId(id)) return token;
  const row = await requireAccounts(context.config).records.call("getUser", String(id));
  if (row?.email === email) return token;
  if (!row?.email || isRemovedAddress(row.email) || named !== email) return null;
  if (JSON.stringify(others).toLowerCase().includes(String(email).toLowerCase())) return null;
  const current = { ...others, email: row.email };
  return isAddressProven(row) ? current : { ...current, unproven: { id, email: row.email } };
}

function mayLoseAddress({ config }: FlowContext): boolean {
  if (!adapterHas(config, "getUser")) return false;
  const isOwning = [...config.providers.values()].some(
    (one) => one.kind === "oauth" && one.ownsAddresses !== undefined,
  );
  return isOwning || addressProviders(config).some((one) => !one.allowDangerousEmailAccountLinking);
}

/** The providers that prove e-mail addresses. */
export function addressProviders({ providers }: Pick<ResolvedConfig, "providers">): readonly AddressProvider[] {
  return [...providers.values()].flatMap((one): AddressProvider[] => {
    if (one.kind === "email") return [one];
    if (one.kind !== "credentials" || one.extension?.provesAddresses !== true) return [];
    return [{ id: one.id, ownsAddress: undefined, allowDangerousEmailAccountLinking: false }];
  });
}
