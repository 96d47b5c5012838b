import { type ActionAnswer, html, type Markup, type RequestTools } from "@cardea/core/extend";
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

type Part = ReturnType<typeof html>;

function hiddenOf({ csrfToken, pending, callbackUrl }: FormFrame): Readonly<Record<string, string>> {
  return {
    ...(csrfToken === null ? {} : { csrfToken }),
    ...(pending === null ? {} : { pending }),
    ...(callbackUrl === null ? {} : { callbackUrl }),
  };
}

/** A form that posts to an action. Hidden fields come first. */
export function form(frame: FormFrame, action: string, content: Part): Part {
  const fields = Object.entries(hiddenOf(frame)).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return html`<form method="post" action="${frame.baseUrl}/${action}">${fields}${content}</form>`;
}

/** Marks the field that the error is about. */
function invalid(isWrong: boolean): Part | null {
  return isWrong ? html` aria-invalid="true" aria-describedby="error"` : null;
}

/** The field for a code. Allows pasting and autofill (ASVS 6.2.7). */
function codeField(id: string, label: string, isWrong: boolean): Part {
  return html`<label for="${id}">${label}</label>
<input id="${id}" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" autocapitalize="none" spellcheck="false" required${invalid(isWrong)}>`;
}

function alert(texts: SecondFactorTexts, error: FormError | null, kind: Factor["kind"] = "totp"): Part | null {
  if (error === null) return null;
  const text = error === "invalid_code" && kind !== "totp" ? INVALID[kind] : ERRORS[error];
  return html`<p class="note" role="alert" id="error">${texts[text]}</p>`;
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
  const wrong = error === "invalid_code" ? kind : null;
  const remember =
    rememberDays > 0
      ? html`<button class="button" type="submit" name="browser" value="remember">${render(texts.remember, { days: String(rememberDays) })}</button>`
      : null;
  const recovery = hasRecovery
    ? html`<section><h2>${texts.recoveryTitle}</h2><p>${render(texts.recoveryLead)}</p>
${form(
  frame,
  "factor/recovery",
  html`<label for="recovery">${texts.recoveryCode}</label>
<input id="recovery" name="code" type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" required${invalid(wrong === "recovery")}>
<button class="button" type="submit">${texts.recoverySubmit}</button>`,
)}</section>`
    : null;
  const app = html`${codeField("code", texts.code, wrong === "totp")}<button class="button main" type="submit">${texts.submit}</button>${remember}`;
  const lead = html`<p class="lead">${render(texts.lead)}</p>`;
  const passkey = hasPasskey ? passkeySection(frame, texts, t) : null;
  const main = html`${lead}${alert(texts, error, kind)}${form(frame, "factor/totp", app)}${passkey}${recovery}`;
  return { kind: "page", status: statusOf(error), title: texts.title, main, passkeys: hasPasskey };
}

function passkeySection(frame: FormFrame, texts: SecondFactorTexts, { passkeys }: RequestTools): Part | null {
  if (passkeys === null) return null;
  const url = `${frame.baseUrl}/factor/passkey`;
  const ask = passkeys.form({ options: url, action: url, hidden: hiddenOf(frame), submit: texts.passkeySubmit });
  return html`<section><h2>${texts.passkeyTitle}</h2>${safe(ask)}</section>`;
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
  const content = html`<input type="hidden" name="step" value="confirm"><input type="hidden" name="setup" value="${setup.sealed}">
${codeField("code", texts.code, error === "invalid_code")}
<label for="label">${texts.appName}</label>
<input id="label" name="label" type="text" maxlength="64" autocomplete="off">
<button class="button main" type="submit">${texts.enrolSubmit}</button>`;
  return page(
    statusOf(error),
    texts.enrolTitle,
    html`<p class="lead">${render(texts.enrolLead)}</p>
<p class="next">${safe(qrCode)}</p>
<p class="note">${render(texts.enrolKey, { key: html`<code>${grouped}</code>` })}</p>${alert(texts, error)}${form(frame, action, content)}`,
  );
}

/** The page that shows new recovery codes, once. */
export function codesPage(texts: SecondFactorTexts, codes: readonly string[], continueUrl: string): ActionAnswer {
  return page(
    200,
    texts.codesTitle,
    html`<p class="lead">${render(texts.codesLead)}</p>
<ul>${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p class="next"><a class="button main" href="${continueUrl}">${texts.codesSubmit}</a></p>`,
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
  return page(
    200,
    texts.fewTitle,
    html`<p class="lead">${text}</p>
<p class="next"><a class="button main" href="${continueUrl}">${texts.fewContinue}</a><a class="button" href="${factorsUrl}">${texts.fewRenew}</a></p>`,
  );
}

/** Marks output of `html` as markup. */
function safe(markup: Markup): Part {
  return markup as Part;
}

/** 429 if the limit was reached (RFC 6585 §4). */
function statusOf(error: FormError | null): number {
  if (error === "too_many_attempts") return 429;
  return error === null ? 200 : 400;
}

/** Shown instead of a form if this browser has no pending sign-in. */
export function expiredPage(texts: SecondFactorTexts, signInUrl: string): ActionAnswer {
  return page(
    403,
    texts.expiredTitle,
    html`<p class="lead">${render(texts.expiredLead)}</p>
<p class="next"><a class="button main" href="${signInUrl}">${texts.signIn}</a></p>`,
  );
}

/** Shown instead of enrolment to a user who has a passkey. */
export function passkeyPage(texts: SecondFactorTexts, signInUrl: string): ActionAnswer {
  return page(
    403,
    texts.usePasskeyTitle,
    html`<p class="lead">${render(texts.usePasskeyLead)}</p>
<p class="next"><a class="button main" href="${signInUrl}">${texts.signIn}</a></p>`,
  );
}

/** The page shown while the database or the store is unavailable. The pending sign-in is kept. */
export function unavailablePage(texts: SecondFactorTexts, frame: FormFrame): ActionAnswer {
  const url = `${frame.baseUrl}/factor${frame.pending === null ? "" : `?pending=${frame.pending}`}`;
  return page(
    503,
    texts.unavailableTitle,
    html`<p class="lead">${render(texts.unavailableLead)}</p>
<p class="next"><a class="button main" href="${url}">${texts.tryAgain}</a></p>`,
  );
}
