import type { CodeForm, Page, PageFrame, SentMail } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { CODE_LENGTH } from "../protocol/email-code.ts";
import { button, CODE_ATTRIBUTES, field, form } from "./components.ts";
import { type Html, html } from "./html.ts";
import { renderLayout, renderLead } from "./layout.ts";

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
  const { code: words, title, text, sent: named } = texts.verifyRequest;
  const { code, sent } = page;
  const about = code === undefined ? { text, named } : { text: words.text, named: words.sent };
  const lead =
    sent === undefined
      ? renderLead(about.text, frame)
      : renderLead(about.named, frame, { email: html`<bdi>${sent.email}</bdi>` });
  const main = html`${lead}
${code === undefined ? null : renderCodeForm(code, words)}${sent === undefined ? null : renderSent(sent, texts)}`;
  return renderLayout({ title, main }, frame, texts);
}

/** Sends it again, after a minute, or corrects the address. Both need no script. */
function renderSent({ email, again, edit, csrfToken, callbackUrl }: SentMail, { verifyRequest }: PageTexts): Html {
  const hidden = { csrfToken, callbackUrl };
  const resend = (action: string) =>
    form({ action, hidden: { ...hidden, email }, content: button({ label: verifyRequest.again, kind: "link" }) });
  const correct = form({ action: edit, hidden, content: button({ label: verifyRequest.edit, kind: "link" }) });
  return html`<div class="links">${again === null ? null : html`<div class="later">${resend(again)}</div>`}${correct}</div>
`;
}

function renderCodeForm(
  { failed, flow, action, csrfToken, callbackUrl }: CodeForm,
  { label, hint, submit, wrong }: PageTexts["verifyRequest"]["code"],
): Html {
  const attributes = { ...CODE_ATTRIBUTES, maxlength: String(MAX_LENGTH), autofocus: "" };
  const error = failed ? wrong : null;
  const content = [
    field({ name: "code", id: "code", label, hint, error, attributes }),
    button({ label: submit, kind: "main" }),
  ];
  return form({ action, hidden: { csrfToken, callbackUrl, flow }, content });
}

/** One button that signs in: mail scanners open links but do not press buttons (docs/behaviour.md#e-mail). */
export function renderConfirmEmail(
  { action, csrfToken, fields }: Extract<Page, { kind: "confirm-email" }>,
  frame: PageFrame,
  texts: PageTexts,
): string {
  const { title, text, submit } = texts.confirmEmail;
  const { callbackUrl, token, email, context } = fields;
  const hidden = { csrfToken, callbackUrl, token, email, context };
  const main = html`${renderLead(text, frame)}\n${form({ action, hidden, content: button({ label: submit, kind: "main" }) })}`;
  return renderLayout({ title, main }, frame, texts);
}
