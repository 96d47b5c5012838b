import { type ActionAnswer, html, type Markup, type RequestTools } from "@cardea/core/extend";
import type { Bind } from "./confirmation.ts";
import type { ResolvedLevel } from "./levels.ts";
import type { Method } from "./methods.ts";
import type { StepUpTexts } from "./texts.ts";
import { visible } from "./visible.ts";

/** The values that the forms of the page submit. */
export interface StepUpForm {
  readonly level: string;
  /** Id of the confirmation; null without `bind`. */
  readonly confirm: string | null;
  readonly callbackUrl: string;
  readonly csrfToken: string | null;
}

/** The text for an error code in the query. Text from the query is never shown. */
function textOf({ refusedByProvider, expired, refused }: StepUpTexts, error: string | null): string | null {
  if (error === null || error === "expired") return error && expired;
  return error === "provider" ? refusedByProvider : refused;
}

type Part = ReturnType<typeof html>;

/** What the page shows besides the methods. */
interface AskFacts {
  readonly level: ResolvedLevel;
  readonly bind: Bind | null;
  readonly error: string | null;
  readonly username: string;
}

/** The page that requests a proof, or the confirmation of bound content. */
export function askPage(
  texts: StepUpTexts,
  methods: readonly Method[],
  form: StepUpForm,
  t: RequestTools,
  { level, bind, error, username }: AskFacts,
): ActionAnswer {
  const text = textOf(texts, error);
  const note = text === null ? null : html`<p class="note" role="alert">${text}</p>`;
  const parts = methods.map((method, n) => renderMethod(texts, method, form, t, { isFirst: n === 0, username }));
  const none = html`<p class="next"><a class="button main" href="${form.callbackUrl}">${texts.back}</a></p>`;
  const main = html`<p class="lead">${leadOf(texts, methods, bind, missingFrom(texts, level, t))}</p>${bind === null ? null : renderBind(bind)}${note}${
    methods.length === 0 ? none : parts
  }`;
  const title = bind === null ? texts.title : texts.bindTitle;
  return { kind: "page", status: 200, title, main, passkeys: methods.some(({ kind }) => kind === "passkey") };
}

function leadOf(
  { lead, bindLead, noMethod, addMethod, or }: StepUpTexts,
  methods: readonly Method[],
  bind: Bind | null,
  missing: readonly string[],
): string {
  if (methods.length > 0) return bind === null ? lead : bindLead;
  return missing.length === 0 ? noMethod : `${noMethod} ${addMethod.replace("{methods}", () => missing.join(or))}`;
}

/** What a user without any of the level's methods can add here. */
function missingFrom(texts: StepUpTexts, { factors, acr }: ResolvedLevel, t: RequestTools): readonly string[] {
  if (acr.length > 0) return [];
  const kinds = [
    ["password", t.hasExtension("password"), texts.aPassword],
    ["totp", t.hasExtension("second-factor"), texts.anApp],
    ["passkey", Boolean(t.passkeys), texts.aPasskey],
  ] as const;
  return kinds.filter(([kind, isHere]) => isHere && factors.includes(kind)).map(([, , noun]) => noun);
}

/** The final page in a separate window, after the proof was given. */
export function donePage(texts: StepUpTexts): ActionAnswer {
  const main = html`<p class="lead">${texts.done}</p>`;
  return { kind: "page", status: 200, title: texts.doneTitle, main };
}

/** The page for an expired confirmation. */
export function expiredPage(texts: StepUpTexts, callbackUrl: string): ActionAnswer {
  const main = html`<p class="lead">${texts.expired}</p><p class="next"><a class="button main" href="${callbackUrl}">${texts.back}</a></p>`;
  return { kind: "page", status: 403, title: texts.bindTitle, main };
}

const FIELDS = {
  password: {
    label: "password",
    submit: "passwordSubmit",
    input: html`<input id="step-up-password" name="password" type="password" autocomplete="current-password" required autocapitalize="none" spellcheck="false">`,
  },
  totp: {
    label: "code",
    submit: "codeSubmit",
    input: html`<input id="step-up-totp" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required>`,
  },
} as const;

function renderMethod(
  texts: StepUpTexts,
  { kind, url }: Method,
  { level, confirm, callbackUrl, csrfToken }: StepUpForm,
  t: RequestTools,
  { isFirst, username }: { readonly isFirst: boolean; readonly username: string },
): Markup & Part {
  const style = isFirst ? "button main" : "button";
  const csrf: Readonly<Record<string, string>> = csrfToken === null ? {} : { csrfToken };
  const own = { ...csrf, callbackUrl, level, ...(confirm === null ? {} : { confirm }) };
  switch (kind) {
    case "sign-in":
      return html`<p class="next"><a class="${style}" href="${url}">${texts.signIn}</a></p>`;
    case "passkey":
      return passkeyForm(texts, t, url, own);
    case "oidc":
      return html`<form method="post" action="${url}">${hidden(own)}<button class="${style}" type="submit">${texts.provider}</button></form>`;
    case "password":
    case "totp": {
      const { label, submit, input } = FIELDS[kind];
      const user =
        kind === "password"
          ? html`<input hidden type="text" name="username" autocomplete="username" value="${username}" readonly>`
          : null;
      return html`<form method="post" action="${url}">${hidden({ ...csrf, callbackUrl })}${user}
<label for="step-up-${kind}">${texts[label]}</label>
${input}
<button class="${style}" type="submit">${texts[submit]}</button></form>${kind === "totp" ? recoveryLink(texts, t, callbackUrl) : null}`;
    }
  }
}

/** The second factor page also accepts recovery codes. */
function recoveryLink(texts: StepUpTexts, { baseUrl }: RequestTools, callbackUrl: string): Part {
  const url = `${baseUrl}/factor?${new URLSearchParams({ callbackUrl })}`;
  return html`<p class="next"><a class="button" href="${url}">${texts.recovery}</a></p>`;
}

/** Markup from core was created by core's own `html`. */
function passkeyForm(
  texts: StepUpTexts,
  { passkeys }: RequestTools,
  url: string,
  own: Readonly<Record<string, string>>,
): Part {
  return passkeys?.form({ options: url, action: url, hidden: own, submit: texts.passkey }) as Part;
}

function hidden(values: Readonly<Record<string, string>>): readonly Part[] {
  return Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);
}

/** The content to confirm, as stored on the server. */
function renderBind(bind: Bind): Part {
  const rows = Object.entries(bind).map(
    ([name, value]) =>
      html`<dt>${visible(name)}</dt><dd>${visible(typeof value === "string" ? value : JSON.stringify(value))}</dd>`,
  );
  return html`<dl>${rows}</dl>`;
}
