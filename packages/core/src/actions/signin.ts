import { guardOf, methodOf, requireProvider } from "../context/create-context.ts";
import { originalRequest } from "../context/request-facts.ts";
import { MARK_FIELD, readMark } from "../cookies/pending.ts";
import type { ActionContext } from "../model/context.ts";
import type { AuthResult } from "../model/result.ts";
import { isLoopbackHost, parseUrl } from "../protocol/parse-url.ts";
import { csrfTokenForForm } from "../sign-in/csrf.ts";
import { ownPage, rememberCallbackUrl, resolveCallbackUrl } from "../sign-in/redirect.ts";

/** GET `signin`: the built-in page, or a redirect to the application's own (docs/behaviour.md#actions). */
export async function signinPage(context: ActionContext): Promise<AuthResult> {
  if (context.providerId !== undefined) requireProvider(context);
  const { query } = context;
  const callbackUrl = await resolveCallbackUrl(context);
  const own = ownPage(context, context.config.pages.signIn, "signin");
  if (own !== null) {
    for (const name of ["error", "code", MARK_FIELD])
      if (query.has(name)) own.searchParams.set(name, query.get(name) ?? "");
    own.searchParams.set("callbackUrl", callbackUrl);
    return { kind: "redirect", url: own.href };
  }
  if (query.has("callbackUrl")) rememberCallbackUrl(context, callbackUrl);
  warnOfOtherHost(context);
  const { config } = context;
  const options = [...config.providers.values()].map((provider) => methodOf(config, provider).form(context, provider));
  const csrfToken = await csrfTokenForForm(context);
  const sections = (await guardOf(context.config)?.sections(context, "signin", { callbackUrl })) ?? [];
  return {
    kind: "page",
    status: 200,
    page: {
      kind: "signin",
      options,
      csrfToken,
      callbackUrl,
      error: query.get("error"),
      code: query.get("code"),
      sections,
      mark: readMark(query),
    },
  };
}

/** Configurations for which the warning was logged. */
const told = new WeakSet<object>();

/** In development the page may be open at this machine, while its forms lead to the public URL. */
function warnOfOtherHost({ config, headers, logger }: ActionContext): void {
  const { fixedOrigin = "", isProduction } = config;
  if (isProduction || !fixedOrigin.startsWith("https:") || told.has(config)) return;
  const host = headers.get("x-forwarded-host") ?? headers.get("host") ?? "";
  const opened = parseUrl(`http://${host}`);
  const isSecure = headers.get("x-forwarded-proto")?.startsWith("https") === true;
  if (opened === null || isSecure || !isLoopbackHost(opened.hostname)) return;
  told.add(config);
  logger.warn(
    `other-host: the sign-in page was opened at ${opened.origin}, but AUTH_URL is ${fixedOrigin}, where its forms lead and its cookies belong. Open that address, or set AUTH_URL=${opened.origin} on this machine.`,
  );
}

/** POST `signin/{id}`: starts the flow of a provider; without an id it redirects to the sign-in page. */
export async function signin(context: ActionContext): Promise<AuthResult> {
  const { query, request } = context;
  const callbackUrl = await resolveCallbackUrl(context);
  rememberCallbackUrl(context, callbackUrl);
  if (context.providerId === undefined) return { kind: "redirect", url: `${context.baseUrl}/signin` };
  const provider = requireProvider(context);
  const params = [...query].filter(([name]) => name !== "callbackUrl");
  const { start } = await methodOf(context.config, provider).load();
  const url = await start?.(context, provider, {
    callbackUrl,
    fields: request.body,
    requested: { by: "visitor", params },
    request: () => originalRequest(request),
  });
  return { kind: "redirect", url: url ?? `${context.baseUrl}/signin/${provider.id}` };
}
