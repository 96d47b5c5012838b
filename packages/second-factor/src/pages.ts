import { type ActionAnswer, components, type Html, html, type Markup, type RequestTools } from "@cardea/extend";
import type { Factor, Settings } from "./options.ts";
import { render, type SecondFactorTexts } from "./texts.ts";
import type { Setup } from "./totp.ts";

/** The values that each form of these pages submits. */
export interface FormFrame {
  /** URL below which the actions are served. */
  readonly baseUrl: string;
  readonly csrfToken: string | null;
  /** The pending sign-in; null for a session. */
  readonly pending: string | null;
  readonly callbackUrl: string | null;
  /** For the times on the page. */
  readonly lang: string;
}

/** Why the form is shown again. */
export type FormError = "invalid_code" | "too_many_attempts" | "expired";

/** The texts of the errors. */
const ERRORS = {
  invalid_code: "invalidCode",
  too_many_attempts: "tooManyAttempts",
  expired: "expired",
} as const satisfies Record<FormError, keyof SecondFactorTexts>;

/** What was wrong in a form without a code that changes. */
const INVALID = {
  recovery: "invalidRecoveryCode",
  passkey: "invalidPasskey",
} as const satisfies Record<Exclude<Factor["kind"], "totp">, keyof SecondFactorTexts>;

function hiddenOf({ csrfToken, pending, callbackUrl }: FormFrame): Readonly<Record<string, string>> {
  return {
    ...(csrfToken === null ? {} : { csrfToken }),
    ...(pending === null ? {} : { pending }),
    ...(callbackUrl === null ? {} : { callbackUrl }),
  };
}

/** A form that posts to an action. */
export function form(
  frame: FormFrame,
  action: string,
  content: Html,
  hidden: Readonly<Record<string, string>> = {},
): Html {
  return components.form({ action: `${frame.baseUrl}/${action}`, hidden: { ...hiddenOf(frame), ...hidden }, content });
}

/** The field for a code. Allows pasting and autofill (ASVS 6.2.7). */
function codeField(label: string, error: string | null, focus: boolean): Html {
  const attributes = { ...components.CODE_ATTRIBUTES, ...(focus ? { autofocus: "" } : {}) };
  return components.field({ name: "code", id: "code", label, error, attributes });
}

/** The text of an error: at the field of the form if it is about what was typed there, else above. */
function textsOf(texts: SecondFactorTexts, error: FormError | null, kind: Factor["kind"] = "totp") {
  const key = error === "invalid_code" && kind !== "totp" ? INVALID[kind] : error && ERRORS[error];
  const text = key === null ? null : texts[key];
  const isAtField = error === "invalid_code" && kind !== "passkey";
  return { field: isAtField ? text : null, notice: isAtField ? null : text };
}

function page(status: number, title: string, main: Markup): ActionAnswer {
  return { kind: "page", status, title, main };
}

/** The page that requests a code. Identical for all users, whatever they have enrolled. `kind` is the form that failed. */
export function factorPage(
  frame: FormFrame,
  { hasRecovery, hasPasskey, rememberDays, texts }: Settings,
  error: FormError | null,
  t: RequestTools,
  kind: Factor["kind"] = "totp",
): ActionAnswer {
  const { field, notice } = textsOf(texts, error, kind);
  const remember =
    rememberDays > 0
      ? components.checkbox({
          ...{ name: "browser", value: "remember" },
          label: render(texts.remember, { days: String(rememberDays) }),
        })
      : null;
  const submit = components.button({ label: texts.submit, kind: "main" });
  const app = html`${codeField(texts.code, kind === "totp" ? field : null, field === null)}${remember}${submit}`;
  const main = html`${components.lead(render(texts.lead))}${components.notice({ kind: "error", text: notice, id: "error" })}${form(
    frame,
    "factor/totp",
    app,
  )}${hasPasskey ? passkeyCard(frame, texts, t) : null}${hasRecovery ? recoveryCard(frame, texts, kind === "recovery" ? field : null) : null}`;
  return { kind: "page", status: statusOf(error), title: texts.title, main, passkeys: hasPasskey };
}

function recoveryCard(frame: FormFrame, texts: SecondFactorTexts, error: string | null): Html {
  const attributes = { autocomplete: "off", autocapitalize: "characters", spellcheck: "false" };
  const code = components.field({ name: "code", id: "recovery", label: texts.recoveryCode, error, attributes });
  const content = form(frame, "factor/recovery", html`${code}${components.button({ label: texts.recoverySubmit })}`);
  return components.card({ title: texts.recoveryTitle, text: render(texts.recoveryLead), content, isApart: true });
}

function passkeyCard(frame: FormFrame, texts: SecondFactorTexts, { passkeys }: RequestTools): Html | null {
  if (passkeys === null) return null;
  const url = `${frame.baseUrl}/factor/passkey`;
  const ask = passkeys.form({
    options: url,
    action: url,
    hidden: hiddenOf(frame),
    submit: texts.passkeySubmit,
    kind: "plain",
  });
  return components.card({ title: texts.passkeyTitle, content: safe(ask), isApart: true });
}

/** The page for setting up an authenticator app. */
export function enrolPage(
  texts: SecondFactorTexts,
  frame: FormFrame,
  action: "factor/totp" | "factors/totp",
  { setup, qrCode }: { readonly setup: Setup; readonly qrCode: Markup },
  error: FormError | null,
): ActionAnswer {
  const grouped = setup.secret.replace(/(.{4})(?=.)/g, "$1 ");
  const { field, notice } = textsOf(texts, error);
  const key = html`<p class="hint">${render(texts.enrolKey, { key: html`<code>${grouped}</code>` })}</p>`;
  const name = components.field({
    ...{ name: "label", id: "label", label: texts.appName, isOptional: true },
    attributes: { maxlength: "64", autocomplete: "off" },
  });
  const content = html`${codeField(texts.code, field, false)}${name}${components.button({ label: texts.enrolSubmit, kind: "main" })}`;
  const confirm = form(frame, action, content, { step: "confirm", setup: setup.sealed });
  const copy = components.copyButton({ text: setup.secret, label: texts.enrolCopy, done: texts.copied });
  const all = [
    html`<p>${render(texts.enrolScan)}</p><p class="next">${safe(qrCode)}</p>${key}<p class="links"><a href="${setup.uri}">${texts.enrolOpen}</a>${copy}</p>`,
    html`<p>${render(texts.enrolCode)}</p>${confirm}`,
  ];
  const main = html`${components.lead(render(texts.enrolLead))}${components.notice({ kind: "error", text: notice, id: "error" })}${components.steps(all)}`;
  return page(statusOf(error), texts.enrolTitle, main);
}

/** The codes as a file that is part of the page: no server keeps it, no cache stores it, and it needs no script. */
function fileOf(codes: readonly string[]): string {
  return `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join("\r\n")}\r\n`)}`;
}

/** The page that shows new recovery codes, once. */
export function codesPage(texts: SecondFactorTexts, codes: readonly string[], href: string): ActionAnswer {
  const download = html`<a href="${fileOf(codes)}" download="recovery-codes.txt">${texts.codesDownload}</a>`;
  const copy = components.copyButton({ text: codes.join("\n"), label: texts.codesCopy, done: texts.copied });
  return page(
    200,
    texts.codesTitle,
    html`${components.lead(render(texts.codesLead))}
<ul class="codes">${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p class="links">${download}${copy}${components.printButton(texts.codesPrint)}</p>
${components.buttonLinks({ href, label: texts.codesSubmit, kind: "main" })}`,
  );
}

/** The page shown after one of the last recovery codes was used. */
export function fewCodesPage(
  texts: SecondFactorTexts,
  left: number,
  factorsUrl: string,
  continueUrl: string,
): ActionAnswer {
  const text = render(left === 1 ? texts.fewOne : texts.few, { count: String(left) });
  const links = components.buttonLinks(
    { href: continueUrl, label: texts.fewContinue, kind: "main" },
    { href: factorsUrl, label: texts.fewRenew },
  );
  return page(200, texts.fewTitle, html`${components.lead(text)}${links}`);
}

/** Marks output of `html` as markup. */
function safe(markup: Markup): Html {
  return markup as Html;
}

/** 429 if the limit was reached (RFC 6585 §4). */
function statusOf(error: FormError | null): number {
  if (error === "too_many_attempts") return 429;
  return error === null ? 200 : 400;
}

/** A page that explains, and leads on. */
function linkPage(status: number, title: string, text: string, href: string, label: string): ActionAnswer {
  return page(
    status,
    title,
    html`${components.lead(render(text))}${components.buttonLinks({ href, label, kind: "main" })}`,
  );
}

/** Shown instead of a form if this browser has no pending sign-in. */
export function expiredPage(texts: SecondFactorTexts, signInUrl: string): ActionAnswer {
  return linkPage(403, texts.expiredTitle, texts.expiredLead, signInUrl, texts.signIn);
}

/** Shown instead of enrolment to a user who has a passkey. */
export function passkeyPage(texts: SecondFactorTexts, signInUrl: string): ActionAnswer {
  return linkPage(403, texts.usePasskeyTitle, texts.usePasskeyLead, signInUrl, texts.signIn);
}

/** The page shown while the database or the store is unavailable. The pending sign-in is kept. */
export function unavailablePage(texts: SecondFactorTexts, frame: FormFrame): ActionAnswer {
  const url = `${frame.baseUrl}/factor${frame.pending === null ? "" : `?pending=${frame.pending}`}`;
  return linkPage(503, texts.unavailableTitle, texts.unavailableLead, url, texts.tryAgain);
}
