import { randomUuid } from "../../crypto/primitives.ts";
import type { AdapterUser } from "../../model/adapter.ts";
import type { AddressProvider } from "../../model/resolved-provider.ts";
import type { ClaimedIdentity } from "../../users/identity.ts";

/** The identity behind an address: the existing user, or the data of a new one. */
export function claimAddress(provider: AddressProvider, email: string, existing: AdapterUser | null): ClaimedIdentity {
  const user = existing ?? { id: randomUuid(), email, emailVerified: null };
  return { user, account: { provider: provider.id, type: "email", providerAccountId: email, userId: user.id } };
}
