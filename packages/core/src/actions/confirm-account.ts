import { methodOf } from "../context/create-context.ts";
import { originalRequest } from "../context/request-facts.ts";
import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";
import { requireAccounts } from "../session/accounts.ts";
import { csrfTokenForForm } from "../sign-in/csrf.ts";
import { resolveCallbackUrl } from "../sign-in/redirect.ts";
import { finishSignOut } from "../sign-in/sign-out.ts";
import { findQuestion, type Question } from "../sign-in/two-users.ts";

/** GET `confirm-account`: asks whose an account is. If the session has ended, there is nothing to ask. */
export async function confirmAccountPage(context: ActionContext): Promise<AuthResult> {
  const question = await findQuestion(context);
  return question === null ? toSignIn(context, await resolveCallbackUrl(context)) : page(context, question);
}

/** POST `confirm-account`: the account proves itself again, with the answer. A passkey does so on the sign-in page, after a sign-out. */
export async function confirmAccount(context: ActionContext): Promise<AuthResult> {
  const question = await findQuestion(context);
  if (question === null) return toSignIn(context, await resolveCallbackUrl(context));
  const { callbackUrl, account, isKnown } = question;
  const answer = context.request.body.get("answer");
  const provider = context.config.providers.get(question.provider);
  if (answer !== "switch" && (answer !== "add" || isKnown)) return page(context, question);
  if (provider?.kind === "oauth") {
    const { start } = await methodOf(context.config, provider).load();
    const url = await start?.(context, provider, {
      ...{ callbackUrl, fields: new Map(), requested: { by: "visitor", params: [] }, choice: { answer, account } },
      request: () => originalRequest(context.request),
    });
    return { kind: "redirect", url: url ?? callbackUrl };
  }
  const next = toSignIn(context, callbackUrl);
  const elsewhere = await finishSignOut(context, { callbackUrl: next.url, federated: undefined });
  return elsewhere === null ? next : { kind: "redirect", url: elsewhere };
}

function toSignIn({ baseUrl }: ActionContext, callbackUrl: string) {
  return { kind: "redirect", url: `${baseUrl}/signin?${new URLSearchParams({ callbackUrl })}` } as const;
}

async function page(context: ActionContext, question: Question): Promise<AuthResult> {
  const { config, baseUrl } = context;
  const { id, label, userId, isKnown, callbackUrl } = question;
  const user = await requireAccounts(config).records.call("getUser", userId);
  return {
    kind: "page",
    status: context.request.method === "POST" ? 403 : 200,
    page: {
      kind: "confirm-account",
      action: `${baseUrl}/confirm-account`,
      csrfToken: await csrfTokenForForm(context),
      callbackUrl,
      pending: id,
      provider: config.providers.get(question.provider)?.name ?? question.provider,
      account: label,
      user: user?.email || user?.name || "",
      mayAdd: !isKnown,
    },
  };
}
