/** HTML that is text and markup apart: what is put into the template is escaped, unless it is HTML itself. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What a template takes; `false` leaves the place empty. */
export type HtmlPart = string | Html | readonly Html[] | false;

/** Makes text safe in elements and quoted attributes. */
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
