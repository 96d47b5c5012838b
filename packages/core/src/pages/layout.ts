import type { PageFrame } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { Html, html } from "./html.ts";
import { parseImage } from "./safe-url.ts";
import { renderButtons, renderStyles } from "./styles.ts";
import { fill } from "./texts.ts";
import { type ButtonLook, resolveTheme } from "./theme.ts";

/** The content of a page. */
export interface PageContent {
  /** Headline of the page, and the first part of the window's title. */
  readonly title: string;
  /** The content below the headline. */
  readonly main: Html;
  /** Styles of the buttons with the classes `p0`, `p1`, … */
  readonly buttons?: readonly ButtonLook[];
  /** Elements that load a script. */
  readonly scripts?: readonly Html[];
}

/** A door ajar on its two hinges: our own mark, shown if the application has no logo. */
const MARK: Html = html`<svg class="mark" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="M6 3h11a1 1 0 0 1 1 1v16M3 20h3m8 0h7"/><path d="M6 3l8 3v16l-8-2z" fill="currentColor" fill-opacity=".25"/><path d="M11 13v1.5"/></svg>`;

const sheets = new WeakMap<PageFrame["theme"], string>();

/** The same for each page of a theme, and most of what a page costs. */
function themeStyles(theme: PageFrame["theme"]): string {
  const sheet = sheets.get(theme) ?? renderStyles(resolveTheme(theme));
  sheets.set(theme, sheet);
  return sheet;
}

/** Renders the document around a page's content: head, style sheet, card, logo and headline. */
export function renderLayout(
  { title, main, buttons = [], scripts = [] }: PageContent,
  frame: PageFrame,
  texts: PageTexts,
): string {
  const logo = parseImage(frame.theme.logo, frame.host);
  const styles = Html.fromStaticStylesheet(themeStyles(frame.theme) + renderButtons(buttons));
  return html`<!doctype html>
<html lang="${texts.lang}" dir="${texts.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${fill(texts.windowTitle, { page: title, host: siteName(frame) })}</title>
<style nonce="${frame.nonce}">${styles}</style>
${scripts}</head>
<body>
<main>
${logo === null ? MARK : html`<img class="logo" src="${logo}" alt="">`}
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`.toString();
}

/** The application's name, else the host that the browser shows. */
function siteName({ theme, host }: PageFrame): string {
  const name = typeof theme.brandName === "string" ? theme.brandName.trim() : "";
  return name === "" ? host : name;
}

/** A text that contains the site's name, emphasised. If the host is not trusted, the sentence with its name is omitted. */
export function renderLead(text: string, frame: PageFrame): Html {
  const name = siteName(frame);
  const known = name === "" ? text.replace(/[^.!?。]*\{host\}./, "") : text;
  return html`<p class="lead">${fill(known, { host: html`<bdi>${name}</bdi>` })}</p>`;
}

/** What every form sends in addition to its own fields. */
export interface FormTarget {
  readonly action: string;
  /** null if CSRF protection is disabled; the field is then omitted. */
  readonly csrfToken: string | null;
  readonly callbackUrl: string;
  /** Names the page `confirm-address` that the form continues. */
  readonly mark?: string | undefined;
}

/**
 * A form that posts. The hidden fields come first, because the first value of a repeated name is used
 * (docs/behaviour.md#actions).
 */
export function renderForm({ action, csrfToken, callbackUrl, mark }: FormTarget, content: Html): Html {
  const csrf = csrfToken === null ? null : html`<input type="hidden" name="csrfToken" value="${csrfToken}">`;
  const page = mark === undefined ? null : html`<input type="hidden" name="confirmAddress" value="${mark}">`;
  return html`<form method="post" action="${action}">
${csrf}<input type="hidden" name="callbackUrl" value="${callbackUrl}">${page}
${content}
</form>
`;
}
