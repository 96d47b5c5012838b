import { readIdentifier } from "../cookies/identifier.ts";
import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";
import { brought } from "../pages/layout.ts";
import { csrfTokenForForm } from "../sign-in/csrf.ts";
import { ownPage, resolveCallbackUrl } from "../sign-in/redirect.ts";
import { hasCodes } from "./requesting-browser.ts";
import { type CodeForm, renderVerifyRequest, type SentMail } from "./verify-request-page.ts";

/**
 * GET `verify-request`: tells the visitor to look for the e-mail, or redirects to the application's own page
 * (docs/behaviour.md#actions). In the browser that started a sign-in with a code, it has a field for the code.
 */
export async function verifyRequest(context: ActionContext): Promise<AuthResult> {
  const own = ownPage(context, context.config.pages.verifyRequest, "verify-request", {});
  if (own !== null) return { kind: "redirect", url: own.href };
  const hasFlow = context.query.has("flow");
  const code = hasFlow ? await findCodeForm(context) : undefined;
  return brought(renderVerifyRequest, { code, sent: await sentMail(context) });
}

/** The e-mail that this browser requested. */
async function sentMail(context: ActionContext): Promise<SentMail | undefined> {
  const { query, config, baseUrl } = context;
  const typed = await readIdentifier(context);
  if (typed === null) return undefined;
  const provider = config.providers.get(query.get("provider") ?? "");
  return {
    email: typed.text,
    again: provider?.kind === "email" ? `${baseUrl}/signin/${provider.id}` : null,
    edit: `${baseUrl}/signin`,
    csrfToken: await csrfTokenForForm(context),
    callbackUrl: await resolveCallbackUrl(context),
  };
}

/** The form for the code of a sign-in; undefined if its method has none for this browser. */
async function findCodeForm(context: ActionContext): Promise<CodeForm | undefined> {
  const provider = context.config.providers.get(context.query.get("provider") ?? "");
  if (provider?.kind !== "email" || !hasCodes(provider)) return undefined;
  return (await import("./codes.ts")).codeForm(context, provider);
}
