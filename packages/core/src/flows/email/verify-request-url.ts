import type { ActionContext, FlowContext } from "../../model/context.ts";
import type { ResolvedEmailProvider } from "../../model/resolved-provider.ts";
import type { CodeForm } from "../../model/result.ts";
import { csrfTokenForForm } from "../csrf.ts";
import { findCodeEntry } from "./requesting-browser.ts";

/**
 * The page that tells the visitor to look for the e-mail: built in, or the application's own.
 *
 * @param params of a sign-in with a code: its `flow`, and `error` after a wrong one.
 */
export function verifyRequestUrl(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  params: Readonly<Record<string, string>> = {},
): string {
  const page = context.config.pages.verifyRequest ?? `${context.baseUrl}/verify-request`;
  const url = new URL(page, context.origin);
  const named = { provider: provider.id, type: "email", ...params };
  for (const [name, value] of Object.entries(named)) url.searchParams.set(name, value);
  return url.href;
}

/** The form for the code of a sign-in; undefined unless this browser started that sign-in, and the code may still be valid. */
export async function codeForm(context: ActionContext): Promise<CodeForm | undefined> {
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
