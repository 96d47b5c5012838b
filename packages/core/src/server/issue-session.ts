import type { Account, User } from "../model/records.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { strategyOf } from "../session/select-strategy.ts";
import { type OperationRequest, openContext, type WithCookies } from "./read-session.ts";

/**
 * Creates a session without a sign-in, as if the user had signed in with the given account. For tests of an application.
 *
 * @throws AccessDenied if an extension denies the user or `callbacks.jwt` returned null; JWTSessionError.
 */
export async function issueSession(
  config: ResolvedConfig,
  request: OperationRequest,
  signedIn: { readonly user: User; readonly account: Account },
): Promise<WithCookies> {
  const context = openContext(config, request);
  const { admitUser } = await import("../flows/admit-sign-in.ts");
  await strategyOf(config).issue(context, await admitUser(context, signedIn));
  return { cookies: context.jar.list() };
}
