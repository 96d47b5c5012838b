import type { AuthResult, PageFrame, PageScript } from "../model/result.ts";
import type { PageTexts } from "../model/texts.ts";
import { form } from "./components.ts";
import { Html, html } from "./html.ts";
import { parseImage, safeHref } from "./safe-url.ts";
import { renderPageScript } from "./script-element.ts";
import { renderStyles } from "./styles.ts";
import { fill, initialOf } from "./texts.ts";
import { resolveTheme } from "./theme.ts";

/** The content of a page. */
interface PageContent {
  /** Headline of the page, and the first part of the window's title. */
  readonly title: string;
  /** The content below the headline. */
  readonly main: Html;
  /** Further styles of this page: text of ours and validated colours. */
  readonly styles?: string;
  /** Elements that load a script. */
  readonly scripts?: readonly Html[];
  /** For pages with lists: twice as wide where there is room. */
  readonly isWide?: boolean;
}

const sheets = new WeakMap<PageFrame["theme"], string>();

/** The same for each page of a theme, and most of what a page costs. */
function themeStyles(theme: PageFrame["theme"]): string {
  const sheet = sheets.get(theme) ?? renderStyles(resolveTheme(theme));
  sheets.set(theme, sheet);
  return sheet;
}

/** Renders the document around a page's content: head, style sheet, card, logo and headline. */
export function renderLayout(
  { title, main, styles: own = "", scripts = [], isWide = false }: PageContent,
  frame: PageFrame,
  texts: PageTexts,
): Html {
  const styles = Html.fromRawText(themeStyles(frame.theme) + own);
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
<main${isWide ? html` class="wide"` : null}>
${renderMark(frame)}<h1>${title}</h1>
${main}
</main>
${renderWayBack(frame, texts)}${main.hasScript ? renderPageScript(texts) : null}</body>
</html>
`;
}

/** The application's logo, else its initial. Decorative: the page says the name. */
function renderMark(frame: PageFrame): Html | null {
  const logo = parseImage(frame.theme.logo, frame.host);
  if (logo !== null) return html`<img class="logo" src="${logo}" alt="">\n`;
  const letter = initialOf(siteName(frame));
  return letter === null ? null : html`<span class="mark" aria-hidden="true">${letter}</span>\n`;
}

/** The way back to the application; `/` if the theme does not name another address. */
function renderWayBack(frame: PageFrame, texts: PageTexts): Html {
  const { homeUrl } = frame.theme;
  const name = siteName(frame);
  const label = name === "" ? texts.home : fill(texts.back, { host: html`<bdi>${name}</bdi>` });
  return html`<footer><a href="${safeHref(typeof homeUrl === "string" ? homeUrl : "/")}">${label}</a></footer>\n`;
}

/** The application's name, else the host that the browser shows. */
function siteName({ theme, host }: PageFrame): string {
  const name = typeof theme.brandName === "string" ? theme.brandName.trim() : "";
  return name === "" ? host : name;
}

/** A page that a part or an extension brings, with the function that renders its content. */
export function brought<Content>(
  render: (content: Content, frame: PageFrame, texts: PageTexts) => Html,
  content: Content,
  { status = 200, script = null }: { readonly status?: number; readonly script?: PageScript | null } = {},
): Extract<AuthResult, { kind: "page" }> {
  return {
    kind: "page",
    status,
    page: { kind: "rendered", script, render: (frame, texts) => render(content, frame, texts) },
  };
}

/** A text that contains the site's name, emphasised. If the host is not trusted, the sentence with its name is omitted. */
export function renderLead(text: string, frame: PageFrame, values: Readonly<Record<string, Html>> = {}): Html {
  const name = siteName(frame);
  const known = name === "" ? text.replace(/[^.!?。]*\{host\}./, "") : text;
  return html`<p class="lead">${fill(known, { ...values, host: html`<bdi>${name}</bdi>` })}</p>`;
}

/** What every form sends in addition to its own fields. */
export interface FormTarget {
  readonly action: string;
  /** null if CSRF protection is disabled; the field is then omitted. */
  readonly csrfToken: string | null;
  readonly callbackUrl: string;
  /** Names the page `confirm-address` that the form continues. */
  readonly mark?: string | undefined;
  /** Shows that the form is one of the built-in sign-in page. */
  readonly signInPage?: string | undefined;
}

/** Renders a form of a page of core. */
export function renderForm({ action, csrfToken, callbackUrl, mark, signInPage }: FormTarget, content: Html): Html {
  return form({ action, hidden: { csrfToken, callbackUrl, confirmAddress: mark, signInPage }, content });
}
