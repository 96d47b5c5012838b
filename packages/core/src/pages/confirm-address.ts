import type { Page, PageFrame } from "../model/result.ts";
import type { Message, PageTexts } from "../model/texts.ts";
import { type Html, html } from "./html.ts";
import { renderForm, renderLayout } from "./layout.ts";
import { safeHref } from "./safe-url.ts";
import { fill } from "./texts.ts";
import { resolveButtonLook } from "./theme.ts";

/** The owner's two choices: sign in as before (first), or start fresh. Works without a script. */
export function renderConfirmAddress(
  page: Extract<Page, { kind: "confirm-address" }>,
  frame: PageFrame,
  texts: PageTexts,
): string {
  const { before, fresh, where, ...intro } = texts.confirmAddress;
  const providers = page.options.map((option, index) =>
    renderForm(
      { ...page, action: option.action },
      html`<button class="button p${String(index)}"><span>${fill(texts.signIn.withProvider, { name: option.name })}</span></button>`,
    ),
  );
  const link =
    page.signInUrl === null
      ? null
      : html`<p class="next"><a class="button main" href="${safeHref(page.signInUrl)}">${before.submit}</a></p>`;
  const main = html`${renderText(intro, page.email, frame)}
<h2>${before.title}</h2>
<p>${before.text}</p>
${providers}${link}
<h2>${fresh.title}</h2>
<p>${fresh.text}</p>
${renderForm(page, renderStep(page, html`<button class="button">${fresh.submit}</button>`))}
<p class="note">${where}</p>`;
  const buttons = page.options.map((option) => resolveButtonLook(option.style));
  return renderLayout({ title: intro.title, main, buttons }, frame, texts);
}

/** Explains what stays with the existing account, and asks for confirmation. */
export function renderConfirmAgain(
  page: Extract<Page, { kind: "confirm-address-again" }>,
  frame: PageFrame,
  texts: PageTexts,
): string {
  const { again } = texts.confirmAddress;
  const buttons = html`<button class="button main">${again.submit}</button>
<a class="button" href="${safeHref(page.action)}">${again.cancel}</a>`;
  const main = html`${renderText(again, page.email, frame)}\n${renderForm(page, renderStep(page, buttons))}`;
  return renderLayout({ title: again.title, main }, frame, texts);
}

/** Explains where to continue, in a browser without a proof of the address. */
export function renderConfirmElsewhere(
  page: Extract<Page, { kind: "confirm-address-elsewhere" }>,
  frame: PageFrame,
  texts: PageTexts,
): string {
  const { elsewhere } = texts.confirmAddress;
  const link = html`<a class="button main" href="${safeHref(page.signInUrl)}">${elsewhere.signIn}</a>`;
  const main = html`${renderText(elsewhere, "", frame)}\n<p class="next">${link}</p>`;
  return renderLayout({ title: elsewhere.title, main }, frame, texts);
}

function renderText({ text }: Message, email: string, frame: PageFrame): Html {
  const values = { host: html`<bdi>${frame.host}</bdi>`, email: html`<bdi>${email}</bdi>` };
  return html`<p class="lead">${fill(text, values)}</p>`;
}

/** The form contains its address: another tab may hold the proof of another address by the time it is sent. */
function renderStep({ step, email }: { readonly step: string; readonly email: string }, content: Html): Html {
  return html`<input type="hidden" name="step" value="${step}">
<input type="hidden" name="email" value="${email}">
${content}`;
}
