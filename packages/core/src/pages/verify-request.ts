import type { CodeForm, Page, PageFrame } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { CODE_LENGTH } from "../protocol/email-code.ts";
import { type Html, html } from "./html.ts";
import { renderForm, renderLayout, renderLead } from "./layout.ts";
import { safeHref } from "./safe-url.ts";

const ERROR_ID = "error";
const HINT_ID = "hint";

/** Room for digits that are typed or pasted in groups. */
const MAX_LENGTH = 2 * CODE_LENGTH;

/**
 * The page after an e-mail was sent; the same for registered and unregistered addresses. With a code it has a field: browsers offer a
 * code that a mail program has received (HTML §4.10.18.7), and it works without a script.
 */
export function renderVerifyRequest(
  page: Extract<Page, { kind: "verify-request" }>,
  frame: PageFrame,
  texts: PageTexts,
): string {
  const { home, code: words, title, text } = texts.verifyRequest;
  const { code } = page;
  const look = code === undefined ? "button main" : "button";
  const main = html`${renderLead(code === undefined ? text : words.text, frame)}
${code === undefined ? null : renderCodeForm(code, words)}<p class="next"><a class="${look}" href="${safeHref(page.homeUrl)}">${home}</a>\n</p>`;
  return renderLayout({ title, main }, frame, texts);
}

function renderCodeForm(code: CodeForm, { label, hint, submit, wrong }: PageTexts["verifyRequest"]["code"]): Html {
  const error = code.failed ? html`<p class="note" role="alert" id="${ERROR_ID}">${wrong}</p>\n` : null;
  const described = code.failed
    ? html` aria-invalid="true" aria-describedby="${ERROR_ID} ${HINT_ID}"`
    : html` aria-describedby="${HINT_ID}"`;
  return renderForm(
    code,
    html`<input type="hidden" name="flow" value="${code.flow}">
${error}<label for="code">${label}</label>
<input id="code" name="code" type="text" inputmode="numeric" autocomplete="one-time-code" maxlength="${String(MAX_LENGTH)}" required autofocus spellcheck="false"${described}>
<p class="hint" id="${HINT_ID}">${hint}</p>
<button class="button main">${submit}</button>`,
  );
}

/** One button that signs in: mail scanners open links but do not press buttons (docs/behaviour.md#e-mail). */
export function renderConfirmEmail(
  { action, csrfToken, fields }: Extract<Page, { kind: "confirm-email" }>,
  frame: PageFrame,
  texts: PageTexts,
): string {
  const { title, text, submit } = texts.confirmEmail;
  const own = fields.context;
  const context = own === undefined ? null : html`<input type="hidden" name="context" value="${own}">\n`;
  const form = renderForm(
    { action, csrfToken, callbackUrl: fields.callbackUrl },
    html`<input type="hidden" name="token" value="${fields.token}">
<input type="hidden" name="email" value="${fields.email}">
${context}<button class="button main">${submit}</button>`,
  );
  return renderLayout({ title, main: html`${renderLead(text, frame)}\n${form}` }, frame, texts);
}
