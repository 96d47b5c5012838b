/** HTML that may be shown as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Value = Html | string | number | false | null | undefined | readonly Value[];

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text between tags and in quoted attributes. */
function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

function render(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === "string" || typeof value === "number") return escapeText(String(value));
  return value ? value.map(render).join("") : "";
}

/** Writes a template; every value that is not HTML itself is escaped. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(render)));
}
