import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";

/** GET `verify-request`: tells the person to look for the e-mail, or leads to the application's own page (spec 4.1). */
export async function verifyRequest(context: ActionContext): Promise<AuthResult> {
  const { config, origin, baseUrl } = context;
  const own = config.pages.verifyRequest === undefined ? null : new URL(config.pages.verifyRequest, origin);
  // A configured page that is this very action would send the browser in a circle.
  if (own !== null && own.href !== `${baseUrl}/verify-request`) return { kind: "redirect", url: own.href };
  return { kind: "page", status: 200, page: { kind: "verify-request", homeUrl: origin } };
}
