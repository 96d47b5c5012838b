import type { Page, PageFrame } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { html } from "./html.ts";
import { renderForm, renderLayout, renderLead } from "./layout.ts";
import { safeHref } from "./safe-url.ts";

/** The sign-out page. It asks for confirmation, because opening a link must not sign anyone out. */
export function renderSignOut(page: Extract<Page, { kind: "signout" }>, frame: PageFrame, texts: PageTexts): string {
  const { title, lead, stale, submit, cancel } = texts.signOut;
  const form = renderForm(
    page,
    html`<button class="button main">${submit}</button>
<a class="button" href="${safeHref(page.callbackUrl)}">${cancel}</a>`,
  );
  const note = page.stale ? html`<p class="note" role="status">${stale}</p>` : null;
  return renderLayout({ title, main: html`${renderLead(lead, frame)}\n${note}\n${form}` }, frame, texts);
}
