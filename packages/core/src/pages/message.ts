import type { Page, PageFrame } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { html } from "./html.ts";
import { renderLayout, renderLead } from "./layout.ts";
import { safeHref } from "./safe-url.ts";
import { fill, ownText } from "./texts.ts";

/**
 * The error page: what happened, the reference that the log repeats, and what to do next; the first link is the main one. Only
 * known values have their own text; the value itself is never shown.
 */
export function renderError(page: Extract<Page, { kind: "error" }>, frame: PageFrame, texts: PageTexts): string {
  const { kinds, unknown, crossSite, reference, signIn, home } = texts.error;
  const known = page.error === null ? undefined : ownText(kinds, page.error);
  const { title, text } = page.crossSite === true ? crossSite : (known ?? unknown);
  const shown = html`<p class="lead">${fill(reference, { reference: html`<bdi>${page.reference}</bdi>` })}</p>\n`;
  const main = html`${renderLead(text, frame)}
${page.reference === undefined ? "" : shown}<p class="next"><a class="button main" href="${safeHref(page.signInUrl)}">${signIn}</a>
<a class="button" href="${safeHref(page.homeUrl)}">${home}</a>
</p>`;
  return renderLayout({ title, main }, frame, texts);
}
