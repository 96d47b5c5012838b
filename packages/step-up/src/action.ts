import { type ActionAnswer, type ActionRequest, type ActionSpec, html, type RequestTools } from "@cardea/core/extend";
import { isMet, type ResolvedLevel } from "./levels.ts";

/** The action that asks. */
export const ACTION = "step-up";

type Levels = ReadonlyMap<string, ResolvedLevel>;

/** GET `step-up`: how a user can prove themselves again. POST `step-up/oidc`: at the provider of the session. */
export function stepUpActions(levels: Levels) {
  const show: ActionSpec = {
    csrf: "none",
    segment: "none",
    answers: "page",
    head: "skip",
    run: (action, t) => showMethods(levels, action, t),
  };
  const start: ActionSpec = {
    csrf: "required",
    segment: "required",
    answers: "page",
    head: "skip",
    run: (action, t) => startMethod(levels, action, t),
  };
  return { [`GET ${ACTION}`]: show, [`POST ${ACTION}`]: start } as const;
}

async function showMethods(levels: Levels, action: ActionRequest, t: RequestTools): Promise<ActionAnswer> {
  const name = action.query.get("level") ?? "";
  const level = levels.get(name);
  if (level === undefined) return unknownLevel();
  const callbackUrl = await action.redirectTo(action.query.get("callbackUrl"));
  const session = await action.session();
  if (session === null) return { kind: "redirect", url: signInUrl(t, callbackUrl) };
  const facts = await session.facts();
  if (isMet(level, facts?.f ?? [], t.now())) return goTo(action, callbackUrl);
  const methods = methodsOf(level, t, { callbackUrl, hasProvider: facts?.idp?.iss !== undefined });
  if (action.wantsJson) return { kind: "json", status: 200, body: { level: name, methods } };
  return page(
    methods,
    { name, callbackUrl, csrfToken: await action.csrfToken() },
    t,
    action.query.get("error") !== null,
  );
}

interface Method {
  readonly kind: "oidc" | "totp" | "sign-in";
  /** Where to go; for `oidc` where to post to. */
  readonly url: string;
}

/** What this user can do. A sign-in counts where a password, a passkey or a link does. */
function methodsOf(
  { factors, acr }: ResolvedLevel,
  t: RequestTools,
  { callbackUrl, hasProvider }: { readonly callbackUrl: string; readonly hasProvider: boolean },
): readonly Method[] {
  const to = `callbackUrl=${encodeURIComponent(callbackUrl)}`;
  const methods: Method[] = [];
  if (hasProvider && factors.includes("oidc")) methods.push({ kind: "oidc", url: `${t.baseUrl}/${ACTION}/oidc` });
  if (acr.length > 0) return methods;
  if (factors.includes("totp") && t.hasExtension("second-factor")) {
    methods.push({ kind: "totp", url: `${t.baseUrl}/factor?${to}` });
  }
  if (factors.some((kind) => kind === "password" || kind === "passkey" || kind === "email")) {
    methods.push({ kind: "sign-in", url: signInUrl(t, callbackUrl) });
  }
  return methods;
}

async function startMethod(levels: Levels, action: ActionRequest, t: RequestTools): Promise<ActionAnswer> {
  const name = String(action.body.get("level") ?? "");
  const level = levels.get(name);
  if (level === undefined || action.segment !== "oidc" || !level.factors.includes("oidc")) return unknownLevel();
  const given = action.body.get("callbackUrl");
  const callbackUrl = await action.redirectTo(typeof given === "string" ? given : null);
  if ((await action.session()) === null) return { kind: "redirect", url: signInUrl(t, callbackUrl) };
  const otherwise = `${ACTION}?${new URLSearchParams({ level: name, callbackUrl })}`;
  const url = await action.reauthenticate({ maxAge: level.within, acr: level.acr, callbackUrl, otherwise });
  return goTo(action, url ?? `${t.baseUrl}/${otherwise}`);
}

function goTo(action: ActionRequest, url: string): ActionAnswer {
  return action.wantsJson ? { kind: "json", status: 200, body: { url } } : { kind: "redirect", url };
}

function signInUrl(t: RequestTools, callbackUrl: string): string {
  return `${t.baseUrl}/signin?callbackUrl=${encodeURIComponent(callbackUrl)}`;
}

function unknownLevel(): ActionAnswer {
  return { kind: "json", status: 404, body: { message: "No such level." } };
}

const LABELS = {
  oidc: "Continue with your identity provider",
  totp: "Enter a code",
  "sign-in": "Sign in again",
} as const;

function page(
  methods: readonly Method[],
  form: { readonly name: string; readonly callbackUrl: string; readonly csrfToken: string | null },
  t: RequestTools,
  hasFailed: boolean,
): ActionAnswer {
  const csrf = form.csrfToken === null ? null : html`<input type="hidden" name="csrfToken" value="${form.csrfToken}">`;
  const note = hasFailed
    ? html`<p class="note" role="alert">Your identity provider did not confirm it. Use another method, or try again.</p>`
    : null;
  const parts = methods.map(({ kind, url }, n) => {
    const style = n === 0 ? "button main" : "button";
    if (kind !== "oidc") return html`<p class="next"><a class="${style}" href="${url}">${LABELS[kind]}</a></p>`;
    return html`<form method="post" action="${url}">${csrf}<input type="hidden" name="level" value="${form.name}">
<input type="hidden" name="callbackUrl" value="${form.callbackUrl}"><button class="${style}" type="submit">${LABELS[kind]}</button></form>`;
  });
  const none = html`<p class="next"><a class="button main" href="${t.origin}">Go back</a></p>`;
  const lead =
    methods.length === 0
      ? "Your account has no method that can confirm this."
      : "Confirm that it's you before you continue.";
  return {
    kind: "page",
    status: 200,
    title: "Confirm it's you",
    main: html`<p class="lead">${lead}</p>${note}${methods.length === 0 ? none : parts}`,
  };
}
