import { guardOf, methodOf, requireProvider } from "../context/create-context.ts";
import { originalRequest } from "../context/request-facts.ts";
import { readIdentifier, rememberIdentifier } from "../cookies/identifier.ts";
import { readMethod } from "../cookies/last-method.ts";
import { forgetCookie } from "../cookies/own-cookie.ts";
import { MARK_FIELD, readMark } from "../cookies/pending.ts";
import { warnOnce } from "../log/warn-once.ts";
import type { ActionContext } from "../model/context.ts";
import type { AuthResult, SignInOption } from "../model/result.ts";
import { isLoopbackHost, parseUrl } from "../protocol/parse-url.ts";
import { csrfTokenForForm } from "../sign-in/csrf.ts";
import { ownPage, rememberCallbackUrl, resolveCallbackUrl } from "../sign-in/redirect.ts";
import { pageFieldOf } from "../sign-in/two-users.ts";

/** GET `signin`: the built-in page, or a redirect to the application's own (docs/behaviour.md#actions). */
export async function signinPage(context: ActionContext): Promise<AuthResult> {
  if (context.providerId !== undefined) requireProvider(context);
  const { query } = context;
  const callbackUrl = await resolveCallbackUrl(context);
  const [error, code] = [query.get("error"), query.get("code")];
  const told = { error, code, [MARK_FIELD]: query.get(MARK_FIELD), callbackUrl };
  const own = ownPage(context, context.config.pages.signIn, "signin", told);
  if (own !== null) return { kind: "redirect", url: own.href };
  if (query.has("callbackUrl")) rememberCallbackUrl(context, callbackUrl);
  warnOfOtherHost(context);
  const sections = (await guardOf(context.config)?.sections(context, "signin", { callbackUrl })) ?? [];
  return {
    kind: "page",
    status: 200,
    page: {
      kind: "signin",
      options: optionsOf(context),
      action: `${context.baseUrl}/signin`,
      identifier: await readIdentifier(context),
      lastMethod: readMethod(context),
      csrfToken: await csrfTokenForForm(context),
      callbackUrl,
      error,
      code,
      sections,
      mark: readMark(query),
      signInPage: await pageFieldOf(context),
    },
  };
}

/** The page of a method with a form shows no other form. */
function optionsOf(context: ActionContext): SignInOption[] {
  const { config, providerId } = context;
  const all = [...config.providers.values()].map((provider) => methodOf(config, provider).form(context, provider));
  const named = all.find(({ id, kind }) => id === providerId && kind !== "redirect");
  return named === undefined ? all : all.filter((one) => one === named || one.kind === "redirect");
}

/** In development the page may be open at this machine, while its forms lead to the public URL. */
function warnOfOtherHost(context: ActionContext): void {
  const { headers, config } = context;
  const { fixedOrigin = "", isProduction } = config;
  if (isProduction || !fixedOrigin.startsWith("https:")) return;
  const host = headers.get("x-forwarded-host") ?? headers.get("host") ?? "";
  const opened = parseUrl(`http://${host}`);
  const isSecure = headers.get("x-forwarded-proto")?.startsWith("https") === true;
  if (opened === null || isSecure || !isLoopbackHost(opened.hostname)) return;
  warnOnce(
    context,
    `other-host: the sign-in page was opened at ${opened.origin}, but AUTH_URL is ${fixedOrigin}, where its forms lead and its cookies belong. Open that address, or set AUTH_URL=${opened.origin} on this machine.`,
  );
}

/** POST `signin/{id}`: starts the flow of a provider; without an id it continues the built-in sign-in page. */
export async function signin(context: ActionContext): Promise<AuthResult> {
  const { query, request } = context;
  const callbackUrl = await resolveCallbackUrl(context);
  rememberCallbackUrl(context, callbackUrl);
  if (context.providerId === undefined) return { kind: "redirect", url: await continuePage(context) };
  const provider = requireProvider(context);
  const params = [...query].filter(([name]) => name !== "callbackUrl");
  const { start } = await methodOf(context.config, provider).load();
  const url = await start?.(context, provider, {
    callbackUrl,
    fields: request.body,
    requested: { by: "visitor", params },
    request: () => originalRequest(request),
  });
  const isShown = provider.kind === "email" && context.config.pages.verifyRequest === undefined;
  if (isShown) await rememberIdentifier(context, request.body.get("email"), true);
  return { kind: "redirect", url: url ?? `${context.baseUrl}/signin/${provider.id}` };
}

/**
 * Keeps what was typed, and returns the page that asks for the method. Without an address, what was typed before can be corrected there.
 * With pages of the application, nothing is kept.
 */
async function continuePage(context: ActionContext): Promise<string> {
  const { body } = context.request;
  const url = new URL(`${context.baseUrl}/signin`);
  const mark = readMark(body);
  if (mark !== undefined) url.searchParams.set(MARK_FIELD, mark);
  if (body.has("forgetMethod")) forgetCookie(context, "lastMethod");
  else if (context.config.pages.signIn === undefined) {
    const typed = body.get("identifier");
    const isEdited = typeof typed !== "string" || typed.trim() === "";
    await rememberIdentifier(context, isEdited ? (await readIdentifier(context))?.text : typed, isEdited);
  }
  return url.href;
}
