import type { ActionContext } from "../../model/context.ts";
import type { CodeForm } from "../../model/result.ts";
import { csrfTokenForForm } from "../csrf.ts";
import { findCodeEntry } from "./requesting-browser.ts";

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
