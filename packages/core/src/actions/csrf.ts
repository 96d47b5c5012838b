import { csrfTokenForForm, readCsrfToken } from "../flows/csrf.ts";
import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";
import { isEqualInConstantTime } from "../protocol/csrf-token.ts";

/** GET `csrf`: the token to send with a POST; 404 when CSRF protection is off (spec 7 rule 2). */
export async function csrf(context: ActionContext): Promise<AuthResult> {
  const csrfToken = await csrfTokenForForm(context);
  if (csrfToken === null) return { kind: "json", status: 404, body: { message: "CSRF protection is off." } };
  return { kind: "json", status: 200, body: { csrfToken } };
}

/** Whether the body of a request holds the token of this browser's sealed cookie. */
export async function hasCsrfToken(context: ActionContext): Promise<boolean> {
  const given = context.request.body.get("csrfToken");
  const expected = await readCsrfToken(context);
  return typeof given === "string" && expected !== null && isEqualInConstantTime(given, expected);
}
