import type { ActionContext } from "../model/context.ts";

/** Whether a POST has `X-Auth-Return-Redirect`: the client's script follows the URL itself (docs/behaviour.md#actions). */
export function wantsUrl(context: ActionContext): boolean {
  return context.request.method === "POST" && context.request.headers.has("x-auth-return-redirect");
}
