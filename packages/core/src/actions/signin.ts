import { guardOf, requireProvider } from "../context/create-context.ts";
import { originalRequest } from "../context/request-facts.ts";
import { MARK_FIELD, readMark } from "../cookies/pending.ts";
import type { ActionContext } from "../model/context.ts";
import type { ResolvedProvider, ResolvedWebAuthnProvider } from "../model/resolved-provider.ts";
import type { AuthResult, SignInOption } from "../model/result.ts";
import { isLoopbackHost, parseUrl } from "../protocol/parse-url.ts";
import { csrfTokenForForm } from "../sign-in/csrf.ts";
import { ownPage, rememberCallbackUrl, resolveCallbackUrl } from "../sign-in/redirect.ts";
import { wayOf } from "../sign-in/ways.ts";

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
  const options = [...context.config.providers.values()].map((provider) => toOption(context, provider));
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
  const url = await wayOf(provider).start(context, provider, {
    callbackUrl,
    fields: request.body,
    requested: { by: "visitor", params },
    request: () => originalRequest(request),
  });
  return { kind: "redirect", url: url ?? `${context.baseUrl}/signin/${provider.id}` };
}

function toOption(context: ActionContext, provider: ResolvedProvider): SignInOption {
  const { id, name } = provider;
  if (provider.kind === "oauth") {
    const action = `${context.baseUrl}/signin/${id}${id === context.providerId ? requestedParams(context.query) : ""}`;
    return { kind: "redirect", id, name, action, style: provider.style };
  }
  if (provider.kind === "email") return { kind: "email", id, name, action: `${context.baseUrl}/signin/${id}` };
  if (provider.kind === "webauthn") return toScripted(context, provider);
  const fields = Object.entries(provider.credentials).map(([field, input]) => ({ name: field, input }));
  return { kind: "credentials", id, name, action: `${context.baseUrl}/callback/${id}`, fields };
}

/** Parameters that a link to one provider's page may pass on to the provider. The page uses nothing else from the link. */
const REQUESTED = ["scope", "prompt"];

function requestedParams(query: URLSearchParams): string {
  const params = new URLSearchParams([...query].filter(([name]) => REQUESTED.includes(name)));
  return params.size === 0 ? "" : `?${params}`;
}

function toScripted({ baseUrl }: ActionContext, provider: ResolvedWebAuthnProvider): SignInOption {
  const { id, name, fields, autofill, way } = provider;
  return {
    kind: "scripted",
    id,
    name,
    options: `${baseUrl}/webauthn-options/${id}`,
    action: `${baseUrl}/callback/${id}`,
    fields,
    autofill,
    script: { url: `${baseUrl}/webauthn-script`, integrity: way.script.integrity },
    form: way.form,
  };
}
