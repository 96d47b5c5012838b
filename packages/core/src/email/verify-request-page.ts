import type { PageFrame } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { button, CODE_ATTRIBUTES, field, form } from "../pages/components.ts";
import { type Html, html } from "../pages/html.ts";
import { renderLayout, renderLead } from "../pages/layout.ts";
import { CODE_LENGTH } from "../protocol/email-code.ts";

/** An e-mail that this browser has requested. */
export interface SentMail {
  readonly email: string;
  /** URL that requests it again; null if the provider is unknown. */
  readonly again: string | null;
  /** URL that leads back to the field for the address. */
  readonly edit: string;
  readonly csrfToken: string | null;
  readonly callbackUrl: string;
}

/** The form for the code of an e-mail. */
export interface CodeForm {
  /** URL that the form posts to. */
  readonly action: string;
  /** null if CSRF protection is disabled. */
  readonly csrfToken: string | null;
  /** Destination after sign-in; validated. */
  readonly callbackUrl: string;
  /** Public id of the sign-in. */
  readonly flow: string;
  /** Whether a code was just rejected. */
  readonly failed: boolean;
}

/** Room for digits that are typed or pasted in groups. */
const MAX_LENGTH = 2 * CODE_LENGTH;

/**
 * The page after an e-mail was sent; the same for registered and unregistered addresses. With a code it has a field: browsers offer a
 * code that a mail program has received (HTML §4.10.18.7), and it works without a script.
 */
export function renderVerifyRequest(
  { code, sent }: { readonly code?: CodeForm | undefined; readonly sent?: SentMail | undefined },
  frame: PageFrame,
  texts: PageTexts,
): Html {
  const { code: words, title, text, sent: named } = texts.verifyRequest;
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
