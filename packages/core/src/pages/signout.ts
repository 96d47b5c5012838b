import type { Page, PageFrame } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { button, notice } from "./components.ts";
import { type Html, html } from "./html.ts";
import { renderForm, renderLayout, renderLead } from "./layout.ts";
import { safeHref } from "./safe-url.ts";

/** The sign-out page. It asks for confirmation, because opening a link must not sign anyone out. */
export function renderSignOut(page: Extract<Page, { kind: "signout" }>, frame: PageFrame, texts: PageTexts): Html {
  const { title, lead, stale, submit, cancel } = texts.signOut;
  const cancelLink = html`<a class="button" href="${safeHref(page.callbackUrl)}">${cancel}</a>`;
  const form = renderForm(page, html`${button({ label: submit, kind: "main" })}\n${cancelLink}`);
  const note = page.stale ? notice({ kind: "status", text: stale }) : null;
  return renderLayout({ title, main: html`${renderLead(lead, frame)}\n${note}${form}` }, frame, texts);
}
