import type { ResolvedConfig } from "../model/resolved-config.ts";
import { strategyOf } from "../session/select-strategy.ts";
import type { OperationRequest, WithCookies } from "./read-session.ts";
import { runOperation } from "./run-operation.ts";

/**
 * Ends the session.
 *
 * @param redirectTo the destination afterwards.
 * @param federated whether to also end the session at its provider; undefined: the configuration of `logout()`.
 * @returns the URL to redirect the browser to.
 * @throws SignOutError if the session could not be deleted from the database.
 */
export function signOut(
  config: ResolvedConfig,
  request: OperationRequest,
  redirectTo: string | undefined,
  federated?: boolean,
): Promise<WithCookies & { readonly url: string }> {
  return runOperation(config, request, async (context) => {
    const [{ resolveRedirect }, { finishSignOut }] = await Promise.all([
      import("../flows/redirect.ts"),
      import("../flows/sign-out.ts"),
    ]);
    const url = await resolveRedirect(context, redirectTo);
    return (await finishSignOut(context, strategyOf(config), { callbackUrl: url, federated })) ?? url;
  });
}
