import type { Page, PageFrame } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { buttonLinks, lead } from "./components.ts";
import { type Html, html } from "./html.ts";
import { renderLayout, renderLead } from "./layout.ts";
import { fill, ownText } from "./texts.ts";

/**
 * The error page: what happened, the reference that the log repeats, and what to do next. Only known values have their own text; the value itself is never shown.
 */
export function renderError(page: Extract<Page, { kind: "error" }>, frame: PageFrame, texts: PageTexts): Html {
  const { kinds, unknown, crossSite, notFound, reference, signIn } = texts.error;
  const known = page.error === null ? undefined : ownText(kinds, page.error);
  const special = page.crossSite === true ? crossSite : page.notFound === true ? notFound : undefined;
  const { title, text } = special ?? known ?? unknown;
  const shown = lead(fill(reference, { reference: html`<bdi>${page.reference}</bdi>` }));
  const main = html`${renderLead(text, frame)}
${page.reference === undefined ? "" : shown}${buttonLinks({ href: page.signInUrl, label: signIn, kind: "main" })}`;
  return renderLayout({ title, main }, frame, texts);
}
