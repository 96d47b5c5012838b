import { randomUuid } from "../crypto/primitives.ts";
import type { AdapterUser } from "../model/adapter.ts";
import { AdapterError } from "../model/errors.ts";
import type { Account } from "../model/records.ts";
import type { AddressProvider } from "../model/resolved-provider.ts";
import { isSameAddress, parseEmailAddress, spellingOf } from "../protocol/email-address.ts";
import { isSameId } from "../protocol/same-id.ts";
import { adapterHas, type ClaimedAddress } from "../session/accounts.ts";
import { callAdapter, type Database } from "./call-adapter.ts";

/** What identifies an account at a provider. */
type AccountKey = Pick<Account, "provider" | "providerAccountId">;

/**
 * The user who has the account of an identity. Databases compare text in their own way: a collation may equate `abc` and `ABC`,
 * and a store may drop a part of its keys. The user does not show which account led to them, so the account is read as well,
 * unless the adapter has `createUserWithAccount`: such an adapter compares exactly (docs/writing-an-adapter.md).
 *
 * @throws AdapterError, also if the account that was found has another id.
 */
export async function findAccountOwner(
  { config }: { readonly config: Database },
  { account }: { readonly account: AccountKey },
): Promise<AdapterUser | null> {
  const { provider, providerAccountId } = account;
  const owner = await callAdapter(config, "getUserByAccount", { provider, providerAccountId });
  const isCertain = adapterHas(config, "createUserWithAccount") || !adapterHas(config, "getAccount");
  if (owner === null || isCertain) return owner;
  const found = await callAdapter(config, "getAccount", providerAccountId, provider);
  if (found === null || isSameAccount(found, account)) return owner;
  throw new AdapterError(
    "The adapter found the account of another id (`getAccount`): the database compares ids inexactly, such as without regard to case (docs/database.md#exact-ids).",
    { cause: { method: "getUserByAccount", provider } },
  );
}

function isSameAccount(found: AccountKey, { provider, providerAccountId }: AccountKey): boolean {
  return found.provider === provider && isSameId(found.providerAccountId, providerAccountId);
}

/**
 * The user with an e-mail address. The result does not depend on how the database compares text:
 *
 * 1. The address is looked up as it was spelled, because an application may have stored capitals, then in the form in which it is
 *    compared.
 * 2. Two users whose addresses differ in case alone are refused, because either could be meant.
 * 3. A user with a different address, or none, is ignored: a collation may equate `é` and `e`, a case-insensitive search may treat
 *    `_` as a wildcard, and an index may still lead to a user who removed their address.
 *
 * @param given the address, in the spelling that was submitted where it is known.
 * @throws AdapterError, also for two users (2).
 */
export async function findUserByAddress(config: Database, given: string): Promise<AdapterUser | null> {
  if (given === "") return null;
  const spelling = spellingOf(given);
  const address = parseEmailAddress(spelling, { allowLocalDomains: true }) ?? spelling;
  const exact = await findSpelling(config, spelling, address);
  if (spelling === address) return exact;
  const folded = await findSpelling(config, address, address);
  if (exact === null || folded === null || isSameId(exact.id, folded.id)) return exact ?? folded;
  const ids = [exact, folded].map(({ id }) => JSON.stringify(String(id))).join(" and ");
  throw new AdapterError(
    `The addresses of the users ${ids} differ in case alone, so that no one can sign in with them. Change or remove one of them (docs/database.md#addresses).`,
    { cause: { method: "getUserByEmail" } },
  );
}

/**
 * The identity behind an address: the existing user, or the data of a new one.
 *
 * @param given see {@link findUserByAddress}.
 * @param email the address in its stored form.
 * @throws AdapterError.
 */
export async function claimAddress(
  config: Database,
  provider: AddressProvider,
  email: string,
  given: string,
): Promise<ClaimedAddress> {
  const existing = await findUserByAddress(config, given);
  const user = existing ?? { id: randomUuid(), email, emailVerified: null };
  const account = { provider: provider.id, type: "email", providerAccountId: email } as const;
  return { existing, claimed: { user, account } };
}

async function findSpelling(config: Database, spelling: string, address: string): Promise<AdapterUser | null> {
  const user = await callAdapter(config, "getUserByEmail", spelling);
  return user !== null && hasOtherAddress(user, address) ? null : user;
}

/** Text that is not an address, such as one encrypted by the application, is not compared, and neither is a member that is not shown. */
function hasOtherAddress({ email }: { readonly email?: unknown }, address: string): boolean {
  if (email === null || email === "") return true;
  return typeof email === "string" && email.includes("@") && !isSameAddress(email, address);
}
