import { findCodeEntry } from "../email/requesting-browser.ts";
import type { ActionContext } from "../model/context.ts";
import type { AuthResult, CodeForm } from "../model/result.ts";
import { csrfTokenForForm } from "../sign-in/csrf.ts";
import { ownPage } from "../sign-in/redirect.ts";

/**
 * GET `verify-request`: tells the visitor to look for the e-mail, or redirects to the application's own page
 * (docs/behaviour.md#actions). In the browser that started a sign-in with a code, it has a field for the code.
 */
export async function verifyRequest(context: ActionContext): Promise<AuthResult> {
  const own = ownPage(context, context.config.pages.verifyRequest, "verify-request");
  if (own !== null) return { kind: "redirect", url: own.href };
  const hasFlow = context.query.has("flow");
  const code = hasFlow ? await codeForm(context) : undefined;
  return { kind: "page", status: 200, page: { kind: "verify-request", code } };
}

/** The form for the code of a sign-in; undefined unless this browser started that sign-in, and the code may still be valid. */
async function codeForm(context: ActionContext): Promise<CodeForm | undefined> {
  const { query, config, baseUrl } = context;
  const provider = config.providers.get(query.get("provider") ?? "");
  const flow = query.get("flow") ?? "";
  if (provider?.kind !== "email" || !provider.code) return undefined;
  const entry = await findCodeEntry(context, provider, flow);
  if (entry === null || entry.until <= context.now()) return undefined;
  const csrfToken = await csrfTokenForForm(context);
  const { callbackUrl } = entry;
  const failed = query.get("error") === "CredentialsSignin";
  return { action: `${baseUrl}/callback/${provider.id}`, csrfToken, callbackUrl, flow, failed };
}
