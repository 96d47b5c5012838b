import type { Page, PageFrame } from "../model/result.ts";
import type { Message, PageTexts } from "../model/texts.ts";
import { html } from "./html.ts";
import { renderLayout, renderLead } from "./layout.ts";
import { safeHref } from "./safe-url.ts";
import { ownText } from "./texts.ts";

/** A link on a message page. */
interface NextStep {
  readonly label: string;
  readonly url: string;
}

/**
 * The error page: what happened and what to do next. Only known values have their own text; the value itself is never
 * shown.
 */
export function renderError(page: Extract<Page, { kind: "error" }>, frame: PageFrame, texts: PageTexts): string {
  const { kinds, unknown, crossSite, signIn, home } = texts.error;
  const known = page.error === null ? undefined : ownText(kinds, page.error);
  return renderMessage(
    page.crossSite === true ? crossSite : (known ?? unknown),
    [
      { label: signIn, url: page.signInUrl },
      { label: home, url: page.homeUrl },
    ],
    frame,
    texts,
  );
}

/** A page with a message and links; the first link is the main one. */
function renderMessage(
  { title, text }: Message,
  next: readonly NextStep[],
  frame: PageFrame,
  texts: PageTexts,
): string {
  const links = next.map(
    ({ label, url }, index) =>
      html`<a class="button${index === 0 ? " main" : ""}" href="${safeHref(url)}">${label}</a>\n`,
  );
  return renderLayout({ title, main: html`${renderLead(text, frame)}\n<p class="next">${links}</p>` }, frame, texts);
}
