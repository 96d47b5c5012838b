import type { LoadedEmailCodes } from "../model/email-codes.ts";
import type { PageFrame } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { button, form } from "../pages/components.ts";
import { type Html, html, safe } from "../pages/html.ts";
import { renderLayout, renderLead } from "../pages/layout.ts";

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
  readonly hidden: Readonly<Record<string, string | null>>;
  /** Renders its content with the texts of the application. */
  readonly render: (own: PageTexts["verifyRequest"]["code"]) => ReturnType<LoadedEmailCodes["form"]>;
}

/**
 * The page after an e-mail was sent; the same for registered and unregistered addresses. With a code it has a form.
 */
export function renderVerifyRequest(
  { code, sent }: { readonly code?: CodeForm | undefined; readonly sent?: SentMail | undefined },
  frame: PageFrame,
  texts: PageTexts,
): Html {
  const rendered = code?.render(texts.verifyRequest.code);
  const { text, sent: named } = rendered ?? texts.verifyRequest;
  const lead =
    sent === undefined ? renderLead(text, frame) : renderLead(named, frame, { email: html`<bdi>${sent.email}</bdi>` });
  const codeForm = code && rendered && form({ ...code, content: safe(rendered.content) });
  const main = html`${lead}
${codeForm}${sent === undefined ? null : renderSent(sent, texts)}`;
  return renderLayout({ title: texts.verifyRequest.title, main }, frame, texts);
}

/**
 * Sends it again, or corrects the address. For a minute a sentence stands where the button will be: what is visible changes by the style
 * sheet, without a script, and nothing moves.
 */
function renderSent({ email, again, edit, csrfToken, callbackUrl }: SentMail, { verifyRequest }: PageTexts): Html {
  const hidden = { csrfToken, callbackUrl };
  const resend = (action: string) =>
    form({ action, hidden: { ...hidden, email }, content: button({ label: verifyRequest.again, kind: "link" }) });
  const correct = form({ action: edit, hidden, content: button({ label: verifyRequest.edit, kind: "link" }) });
  return html`<div class="links">${again === null ? null : html`<div class="later"><p>${verifyRequest.wait}</p>${resend(again)}</div>`}${correct}</div>
`;
}
