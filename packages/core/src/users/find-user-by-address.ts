import { callAdapter } from "../application/call-adapter.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { isSameAddress } from "../protocol/email-address.ts";

/**
 * The user with an e-mail address. Databases compare text in their own way: a collation may equate `é` and `e`, and a
 * case-insensitive search may treat `_` as a wildcard; an index may still lead to a user who removed their address. A user with a
 * different address, or none, is ignored.
 *
 * @throws AdapterError.
 */
export async function findUserByAddress(config: ResolvedConfig, address: string): Promise<AdapterUser | null> {
  if (address === "") return null;
  const user = await callAdapter(config, "getUserByEmail", address);
  return user !== null && hasOtherAddress(user, address) ? null : user;
}

/** Text that is not an address, such as one encrypted by the application, is not compared, and neither is a member that is not shown. */
function hasOtherAddress({ email }: { readonly email?: unknown }, address: string): boolean {
  if (email === null || email === "") return true;
  return typeof email === "string" && email.includes("@") && !isSameAddress(email, address);
}
