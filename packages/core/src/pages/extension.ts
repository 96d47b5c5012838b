import type { Page, PageFrame } from "../model/result.ts";
import type { Section } from "../model/section.ts";
import type { PageTexts } from "../model/texts.ts";
import type { Markup } from "../model/theme.ts";
import { card } from "./components.ts";
import { Html, html } from "./html.ts";
import { renderLayout } from "./layout.ts";
import { renderScript } from "./script-element.ts";

/** The page of an extension, with the theme of all others. */
export function renderExtension(
  page: Extract<Page, { kind: "extension" }>,
  frame: PageFrame,
  texts: PageTexts,
): string {
  const scripts = page.script === null ? [] : [renderScript(page.script)];
  return renderLayout(
    { title: page.title, main: safe(page.main), scripts, isWide: page.isWide === true },
    frame,
    texts,
  );
}

/** What extensions add to a page of core; null for nothing. */
export function renderSections(sections: readonly Section[] = []): Html | null {
  if (sections.length === 0) return null;
  return html`${sections.map(renderSection)}`;
}

/** Null for a section that throws: the page is good without it. */
function renderSection({ title, main }: Section): Html | null {
  try {
    return card({ title: title && String(title), content: safe(main) });
  } catch {
    return null;
  }
}

/** Only what `html` made is markup. Everything else is text, that of another installed copy of core included. */
export function safe(main: Markup): Html {
  return main instanceof Html ? main : Html.from(String(main));
}
