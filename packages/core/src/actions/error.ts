import type { ActionContext } from "../model/context.ts";
import type { ErrorPageParam } from "../model/errors.ts";
import type { AuthResult } from "../model/result.ts";

const STATUS = { Configuration: 500, AccessDenied: 403, Verification: 403 } as const satisfies Record<
  ErrorPageParam,
  number
>;

/** GET `error`: the built-in page, or the way to the application's own with a documented value (contract 3, safety H040). */
export async function error(context: ActionContext): Promise<AuthResult> {
  const given = context.query.get("error");
  const known = parseErrorParam(given);
  const own = context.config.pages.error;
  if (own !== undefined && !leadsBack(context, own)) {
    const url = new URL(own, context.origin);
    url.searchParams.set("error", known ?? "Configuration");
    return { kind: "redirect", url: url.href };
  }
  const page = {
    kind: "error",
    error: given,
    signInUrl: `${context.baseUrl}/signin`,
    homeUrl: context.origin,
  } as const;
  return { kind: "page", status: known === null ? 200 : STATUS[known], page };
}

function parseErrorParam(given: string | null): ErrorPageParam | null {
  return given !== null && Object.hasOwn(STATUS, given) ? (given as ErrorPageParam) : null;
}

/** A configured page that is this very action would send the browser in a circle. */
function leadsBack(context: ActionContext, page: string): boolean {
  const url = new URL(page, context.origin);
  return `${url.origin}${url.pathname}` === `${context.baseUrl}/error`;
}
