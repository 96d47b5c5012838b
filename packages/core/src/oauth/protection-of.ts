import type { AuthorizationServer } from "oauth4webapi";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import type { KeyOwner } from "./dpop-key.ts";
import type { Protection } from "./protection.ts";

const NONE: Protection = {
  options: {},
  send: (request) => request(),
  require: () => undefined,
  authorize: (_server, url) => url,
};

/**
 * Loads the code of `dpop`, `signedRequest` and `par` for a provider that is configured for one of them, or whose server requires pushed
 * requests.
 *
 * @param server absent for a request that no authorization follows.
 */
export async function protectionOf(
  owner: KeyOwner,
  provider: ResolvedOAuthProvider,
  server?: Pick<AuthorizationServer, "require_pushed_authorization_requests">,
): Promise<Protection> {
  const { dpop, signedRequest, par } = provider.source;
  const isPushed = (par ?? server?.require_pushed_authorization_requests ?? false) !== false;
  if (!dpop && !signedRequest && !isPushed) return NONE;
  return (await import("./protection.ts")).createProtection(owner, provider);
}
