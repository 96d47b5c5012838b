/** HTML. Values inserted into a template are escaped, unless they are HTML themselves. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** A value in a template; `false` inserts nothing. */
export type HtmlPart = string | Html | readonly Html[] | false;

/** Escapes text for elements and quoted attributes. */
function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function render(part: HtmlPart): string {
  if (part === false) return "";
  if (typeof part === "string") return escapeHtml(part);
  return part instanceof Html ? part.text : part.map(({ text }) => text).join("");
}

/** Tag of templates: `html\`<p>${name}</p>\``. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return new Html(strings.map((text, i) => text + render(parts[i] ?? false)).join(""));
}
