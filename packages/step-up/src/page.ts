import { type ActionAnswer, components, type Html, html, type RequestTools } from "@cardea/extend";
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
  const parts = methods.map((method, n) => renderMethod(texts, method, form, t, { isFirst: n === 0, username }));
  const none = components.buttonLinks({ href: form.callbackUrl, label: texts.back, kind: "main" });
  const main = html`${components.lead(leadOf(texts, methods, bind, missingFrom(texts, level, t)))}${bind === null ? null : renderBind(bind)}${components.notice({ kind: "error", text })}${
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
  return { kind: "page", status: 200, title: texts.doneTitle, main: components.lead(texts.done) };
}

/** The page for an expired confirmation. */
export function expiredPage(texts: StepUpTexts, href: string): ActionAnswer {
  const link = components.buttonLinks({ href, label: texts.back, kind: "main" });
  return { kind: "page", status: 403, title: texts.bindTitle, main: html`${components.lead(texts.expired)}${link}` };
}

const FIELDS = {
  password: {
    name: "password",
    label: "password",
    submit: "passwordSubmit",
    attributes: { autocomplete: "current-password", autocapitalize: "none", spellcheck: "false" },
  },
  totp: { name: "code", label: "code", submit: "codeSubmit", attributes: components.CODE_ATTRIBUTES },
} as const;

function renderMethod(
  texts: StepUpTexts,
  { kind, url }: Method,
  { level, confirm, callbackUrl, csrfToken }: StepUpForm,
  t: RequestTools,
  { isFirst, username }: { readonly isFirst: boolean; readonly username: string },
): Html {
  const style = isFirst ? "main" : "plain";
  const own = { csrfToken, callbackUrl, level, confirm };
  switch (kind) {
    case "sign-in":
      return components.buttonLinks({ href: url, label: texts.signIn, kind: style });
    case "passkey":
      return passkeyForm(texts, t, { url, own, kind: style });
    case "oidc":
      return components.form({
        action: url,
        hidden: own,
        content: components.button({ label: texts.provider, kind: style }),
      });
    case "password":
    case "totp": {
      const { name, label, submit, attributes: given } = FIELDS[kind];
      const user = kind === "password" ? components.accountName(username) : null;
      const attributes = { ...given, ...(isFirst ? { autofocus: "" } : {}) };
      const type = kind === "password" ? "password" : "text";
      const field = components.field({ id: `step-up-${kind}`, name, label: texts[label], type, attributes });
      const content = html`${user}${field}${components.button({ label: texts[submit], kind: style })}`;
      const ask = components.form({ action: url, hidden: { csrfToken, callbackUrl }, content });
      return html`${ask}${kind === "totp" ? recoveryLink(texts, t, callbackUrl) : null}`;
    }
  }
}

/** The second factor page also accepts recovery codes. */
function recoveryLink(texts: StepUpTexts, { baseUrl }: RequestTools, callbackUrl: string): Html {
  return components.links({
    href: `${baseUrl}/factor?${new URLSearchParams({ callbackUrl })}`,
    label: texts.recovery,
  });
}

interface PasskeyForm {
  readonly url: string;
  readonly own: Readonly<Record<string, string | null>>;
  readonly kind: "main" | "plain";
}

/** Markup from core was created by core's own `html`. */
function passkeyForm(texts: StepUpTexts, { passkeys }: RequestTools, { url, own, kind }: PasskeyForm): Html {
  const hidden = Object.fromEntries(
    Object.entries(own).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  return passkeys?.form({ options: url, action: url, hidden, submit: texts.passkey, kind }) as Html;
}

/** The content to confirm, as stored on the server. */
function renderBind(bind: Bind): Html {
  const rows = Object.entries(bind).map(
    ([name, value]) =>
      html`<dt>${visible(name)}</dt><dd>${visible(typeof value === "string" ? value : JSON.stringify(value))}</dd>`,
  );
  return html`<dl>${rows}</dl>`;
}
