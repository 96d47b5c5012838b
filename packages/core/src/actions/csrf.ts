import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";
import { csrfTokenForForm } from "../sign-in/csrf.ts";

/** GET `csrf`: the token to send with a POST; 404 if CSRF protection is disabled (docs/errors.md). */
export async function csrf(context: ActionContext): Promise<AuthResult> {
  const csrfToken = await csrfTokenForForm(context);
  if (csrfToken === null) return { kind: "json", status: 404, body: { message: "CSRF protection is disabled." } };
  return { kind: "json", status: 200, body: { csrfToken } };
}
