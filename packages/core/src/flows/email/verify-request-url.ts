import type { FlowContext } from "../../model/context.ts";
import type { ResolvedEmailProvider } from "../../model/resolved-provider.ts";

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
