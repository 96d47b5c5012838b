import type { Page, PageFrame } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { renderForm } from "./form.ts";
import { html } from "./html.ts";
import { renderLayout, renderLead } from "./layout.ts";

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
