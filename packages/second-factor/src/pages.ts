import { type ActionAnswer, html, type Markup, type RequestTools } from "@cardea/core/extend";
import type { Factor, Settings } from "./options.ts";
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

const ERRORS: Readonly<Record<FormError, string>> = {
  invalid_code: "That code is incorrect or was already used. Wait for the next code and try again.",
  too_many_attempts: "Too many attempts. Wait a few minutes and try again.",
  expired: "This sign-in timed out. Start again.",
};

/** What was wrong in a form without a code that changes. */
const INVALID: Readonly<Record<Exclude<Factor["kind"], "totp">, string>> = {
  recovery: "That recovery code is incorrect or was already used.",
  passkey: "That passkey wasn’t accepted. Try again or use another method.",
};

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

function alert(error: FormError | null, kind: Factor["kind"] = "totp"): Part | null {
  if (error === null) return null;
  const text = error === "invalid_code" && kind !== "totp" ? INVALID[kind] : ERRORS[error];
  return html`<p class="note" role="alert" id="error">${text}</p>`;
}

function page(status: number, title: string, main: Markup): ActionAnswer {
  return { kind: "page", status, title, main };
}

/** The page that requests a code. Identical for all users, whatever they have enrolled. `kind` is the form that failed. */
export function factorPage(
  frame: FormFrame,
  { hasRecovery, hasPasskey, rememberDays }: Pick<Settings, "hasRecovery" | "hasPasskey" | "rememberDays">,
  error: FormError | null,
  t: RequestTools,
  kind: Factor["kind"] = "totp",
): ActionAnswer {
  const wrong = error === "invalid_code" ? kind : null;
  const remember =
    rememberDays > 0
      ? html`<button class="button" type="submit" name="browser" value="remember">Continue and remember this browser for ${String(rememberDays)} days</button>`
      : null;
  const recovery = hasRecovery
    ? html`<section><h2>Lost your device?</h2><p>Enter one of your recovery codes.</p>
${form(
  frame,
  "factor/recovery",
  html`<label for="recovery">Recovery code</label>
<input id="recovery" name="code" type="text" autocomplete="off" autocapitalize="characters" spellcheck="false" required${invalid(wrong === "recovery")}>
<button class="button" type="submit">Use recovery code</button>`,
)}</section>`
    : null;
  const app = html`${codeField("code", "Code", wrong === "totp")}<button class="button main" type="submit">Continue</button>${remember}`;
  const lead = html`<p class="lead">Enter the <span class="whole">six-digit</span> code from your authenticator app.</p>`;
  const passkey = hasPasskey ? passkeySection(frame, t) : null;
  const main = html`${lead}${alert(error, kind)}${form(frame, "factor/totp", app)}${passkey}${recovery}`;
  return { kind: "page", status: statusOf(error), title: "Two-step verification", main, passkeys: hasPasskey };
}

function passkeySection(frame: FormFrame, { passkeys }: RequestTools): Part | null {
  if (passkeys === null) return null;
  const url = `${frame.baseUrl}/factor/passkey`;
  const ask = passkeys.form({ options: url, action: url, hidden: hiddenOf(frame), submit: "Use a passkey" });
  return html`<section><h2>Have a passkey?</h2>${safe(ask)}</section>`;
}

/** The page for setting up an authenticator app. */
export function enrolPage(
  frame: FormFrame,
  action: "factor/totp" | "factors/totp",
  { setup, qrCode }: { readonly setup: Setup; readonly qrCode: Markup },
  error: FormError | null,
): ActionAnswer {
  const grouped = setup.secret.replace(/(.{4})(?=.)/g, "$1 ");
  const content = html`<input type="hidden" name="step" value="confirm"><input type="hidden" name="setup" value="${setup.sealed}">
${codeField("code", "Code", error === "invalid_code")}
<label for="label">Name of the app or device (optional)</label>
<input id="label" name="label" type="text" maxlength="64" autocomplete="off">
<button class="button main" type="submit">Turn on</button>`;
  return page(
    statusOf(error),
    "Add an authenticator app",
    html`<p class="lead">Scan this QR code with your authenticator app, then enter the <span class="whole">six-digit</span> code it shows.</p>
<p class="next">${safe(qrCode)}</p>
<p class="note">Can’t scan the code? Enter this key instead: <code>${grouped}</code></p>${alert(error)}${form(frame, action, content)}`,
  );
}

/** The page that shows new recovery codes, once. */
export function codesPage(codes: readonly string[], continueUrl: string): ActionAnswer {
  return page(
    200,
    "Save your recovery codes",
    html`<p class="lead">If you lose your device, you can use these codes to sign in. Each code works once. Print them or save them in a password manager: they won’t be shown again.</p>
<ul>${codes.map((code) => html`<li><code>${code}</code></li>`)}</ul>
<p class="next"><a class="button main" href="${continueUrl}">I’ve saved my codes</a></p>`,
  );
}

/** The page shown after one of the last recovery codes was used. */
export function fewCodesPage(left: number, factorsUrl: string, continueUrl: string): ActionAnswer {
  const codes = left === 1 ? "1 recovery code" : `${left} recovery codes`;
  return page(
    200,
    "Few recovery codes left",
    html`<p class="lead">You have ${codes} left.</p>
<p class="next"><a class="button main" href="${continueUrl}">Continue</a><a class="button" href="${factorsUrl}">Create new codes</a></p>`,
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
export function expiredPage(signInUrl: string): ActionAnswer {
  return page(
    403,
    "Sign in again",
    html`<p class="lead">This sign-in timed out or was started in another browser.</p>
<p class="next"><a class="button main" href="${signInUrl}">Sign in</a></p>`,
  );
}

/** Shown instead of enrolment to a user who has a passkey. */
export function passkeyPage(signInUrl: string): ActionAnswer {
  return page(
    403,
    "Use your passkey",
    html`<p class="lead">Your account has a passkey. Sign in with it first; then you can set up an authenticator app.</p>
<p class="next"><a class="button main" href="${signInUrl}">Sign in</a></p>`,
  );
}

/** The page shown while the database or the store is unavailable. The pending sign-in is kept. */
export function unavailablePage(frame: FormFrame): ActionAnswer {
  const url = `${frame.baseUrl}/factor${frame.pending === null ? "" : `?pending=${frame.pending}`}`;
  return page(
    503,
    "Temporarily unavailable",
    html`<p class="lead">We couldn’t check your code. Try again in a moment.</p>
<p class="next"><a class="button main" href="${url}">Try again</a></p>`,
  );
}
