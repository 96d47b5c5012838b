import { callAdapter } from "../application/call-adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { CallbackRouteError } from "../model/errors.ts";
import type { CredentialsIdentity } from "../model/identity.ts";
import type { UserDecision } from "../session/accounts.ts";

/**
 * The user that `authorize` returned. A credentials sign-in never creates a user, and a database session requires one.
 *
 * @throws CallbackRouteError if that user is not in the database; AdapterError.
 */
export async function decideCredentialsUser(
  context: FlowContext,
  { user, account }: CredentialsIdentity,
): Promise<UserDecision> {
  const decision = { kind: "existing", user, write: async () => ({ user, isNewUser: false }) } as const;
  if (context.config.session.strategy === "jwt") return decision;
  const stored = await callAdapter(context.config, "getUser", account.providerAccountId);
  if (stored !== null) return decision;
  throw new CallbackRouteError(
    'authorize() returned a user whose `id` is not in the database, as database sessions require. Create the user first, or set `session.strategy: "jwt"`.',
    { cause: { provider: account.provider } },
  );
}
