import { callAdapter } from "../application/call-adapter.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { isSameAddress } from "../protocol/email-address.ts";

/**
 * The user who has an e-mail address. Databases compare text in their own way: a collation may take `é` for `e`, and a search
 * without regard to case may take `_` for any character. A user who says another address is not the one that was asked for.
 *
 * @throws AdapterError.
 */
export async function findUserByAddress(config: ResolvedConfig, address: string): Promise<AdapterUser | null> {
  if (address === "") return null;
  const user = (await callAdapter(config, "getUserByEmail", address)) ?? null;
  return user !== null && hasOtherAddress(user, address) ? null : user;
}

/** A member that holds no address, such as one that the application encrypted, says nothing. */
function hasOtherAddress({ email }: { readonly email?: unknown }, address: string): boolean {
  return typeof email === "string" && email.includes("@") && !isSameAddress(email, address);
}
