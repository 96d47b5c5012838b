import { ownPage } from "../flows/redirect.ts";
import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";

/**
 * GET `verify-request`: tells the visitor to look for the e-mail, or redirects to the application's own page
 * (docs/behaviour.md#actions). In the browser that started a sign-in with a code, it has a field for the code.
 */
export async function verifyRequest(context: ActionContext): Promise<AuthResult> {
  const own = ownPage(context, context.config.pages.verifyRequest, "verify-request");
  if (own !== null) return { kind: "redirect", url: own.href };
  const hasFlow = context.query.has("flow");
  const code = hasFlow ? await (await import("../flows/email/verify-request-url.ts")).codeForm(context) : undefined;
  return { kind: "page", status: 200, page: { kind: "verify-request", homeUrl: context.origin, code } };
}
