import type { ActionContext } from "../model/context.ts";
import type { ErrorPageParam } from "../model/errors.ts";
import type { AuthResult } from "../model/result.ts";
import { readReference } from "../sign-in/error-reference.ts";
import { ownPage } from "../sign-in/redirect.ts";

const STATUS = {
  Configuration: 500,
  AccessDenied: 403,
  Verification: 403,
  SignOutIncomplete: 503,
} as const satisfies Record<ErrorPageParam, number>;

/**
 * GET `error`: the built-in page, or a redirect to the application's own with a documented value, by default
 * `Configuration`.
 */
export async function error(context: ActionContext): Promise<AuthResult> {
  const given = context.query.get("error");
  const known = parseErrorParam(given);
  const url = ownPage(context, context.config.pages.error, "error", { error: known ?? "Configuration" });
  if (url !== null) return { kind: "redirect", url: url.href };
  const page = {
    kind: "error",
    error: given,
    reference: await readReference(context, given),
    signInUrl: `${context.baseUrl}/signin`,
  } as const;
  return { kind: "page", status: known === null ? 200 : STATUS[known], page };
}

function parseErrorParam(given: string | null): ErrorPageParam | null {
  return given !== null && Object.hasOwn(STATUS, given) ? (given as ErrorPageParam) : null;
}
