import { randomUuid } from "../../crypto/primitives.ts";
import type { AdapterUser } from "../../model/adapter.ts";
import type { ResolvedEmailProvider } from "../../model/resolved-config.ts";
import type { ClaimedIdentity } from "../../users/identity.ts";

/** Who an address stands for: the user who has it, or what a new one would be made of. */
export function claimAddress(
  provider: ResolvedEmailProvider,
  email: string,
  existing: AdapterUser | null,
): ClaimedIdentity {
  const user = existing ?? { id: randomUuid(), email, emailVerified: null };
  return { user, account: { provider: provider.id, type: "email", providerAccountId: email, userId: user.id } };
}
