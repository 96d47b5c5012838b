import { callAdapter } from "../application/call-adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { CallbackRouteError } from "../model/errors.ts";
import type { CredentialsIdentity } from "./identity.ts";
import type { ResolvedUser } from "./resolved-user.ts";

/**
 * The user that `authorize` returned. Credentials write nothing; a database session requires an existing user.
 *
 * @throws CallbackRouteError if that user is not in the database; AdapterError.
 */
export async function resolveCredentialsUser(
  context: FlowContext,
  { user, account }: CredentialsIdentity,
): Promise<ResolvedUser> {
  if (context.config.session.strategy === "jwt") return { user, isNewUser: false };
  const stored = await callAdapter(context.config, "getUser", account.providerAccountId);
  if (stored !== null) return { user, isNewUser: false };
  throw new CallbackRouteError(
    'authorize() returned a user whose `id` is not in the database, as database sessions require. Create the user first, or set `session.strategy: "jwt"`.',
    { cause: { provider: account.provider } },
  );
}
