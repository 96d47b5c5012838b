import { rememberIdentifier } from "../cookies/identifier.ts";
import type { ActionContext } from "../model/context.ts";
import { identifierField } from "../protocol/identifier-field.ts";

export { readMark } from "../cookies/pending.ts";
export { createReference, showReference } from "../sign-in/error-reference.ts";
export { carriedCallbackUrl } from "../sign-in/redirect.ts";

const EMAIL = { email: { type: "email" } };

/** Keeps the address or user name of a form that failed for the built-in sign-in page, which shows the form again. */
export async function rememberTyped(context: ActionContext): Promise<void> {
  const { config, request, providerId } = context;
  const provider = config.providers.get(providerId ?? "");
  if (request.method !== "POST" || provider === undefined || config.pages.signIn !== undefined) return;
  const fields = provider.kind === "credentials" ? provider.credentials : provider.kind === "email" ? EMAIL : {};
  await rememberIdentifier(context, request.body.get(identifierField(fields) ?? ""));
}
