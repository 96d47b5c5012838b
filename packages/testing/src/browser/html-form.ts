/**
 * Reads the forms of a page with a simple, tolerant HTML parser, sufficient for typical server-rendered pages. Scripts, styles
 * and comments are skipped. Never throws.
 */

/** A `<button>` or `<input type=submit>` of a form. */
export interface FormButton {
  readonly name: string;
  readonly value: string;
  /** The visible label: its text, its `aria-label`, or an input's value. */
  readonly text: string;
  /** The button's `formaction`, if set. */
  readonly action?: string;
  /** The button's `formmethod`, if set; upper-case. */
  readonly method?: string;
}

/** A `<form>` as a browser would send it without changes. */
export interface HtmlForm {
  /** The `action` attribute, entities decoded; empty if there is none, which means the page's own URL. */
  readonly action: string;
  /** `GET` or `POST`. */
  readonly method: string;
  /** The `enctype` attribute, lower-case; default `application/x-www-form-urlencoded`. */
  readonly enctype: string;
  /** Name and value of each control that would be sent, in order; no buttons. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly buttons: readonly FormButton[];
}

type Attributes = ReadonlyMap<string, string>;
type Draft = {
  id: string | undefined;
  attributes: Attributes;
  fields: [string, string][];
  buttons: FormButton[];
};

const NAMED_ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
  ["nbsp", "\u00a0"],
]);

/** Replaces `&amp;`, `&#39;`, `&#x27;` and the like; unknown entities stay unchanged. */
export function decodeEntities(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi,
    (whole, hex?: string, decimal?: string, name?: string) => {
      if (name !== undefined) return NAMED_ENTITIES.get(name.toLowerCase()) ?? whole;
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}

function parseAttributes(source: string): Attributes {
  const found = new Map<string, string>();
  const pattern = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/g;
  for (const [, name = "", double, single, bare] of source.matchAll(pattern)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, decodeEntities(double ?? single ?? bare ?? ""));
  }
  return found;
}

function textOf(html: string): string {
  return decodeEntities(html.replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim();
}

function readButton(attributes: Attributes, text: string): FormButton {
  const action = attributes.get("formaction");
  const method = attributes.get("formmethod")?.toUpperCase();
  return {
    name: attributes.get("name") ?? "",
    value: attributes.get("value") ?? "",
    text: text === "" ? (attributes.get("aria-label") ?? attributes.get("value") ?? "") : text,
    ...(action === undefined ? {} : { action }),
    ...(method === undefined ? {} : { method }),
  };
}

function addInput(form: Draft, attributes: Attributes): void {
  const type = attributes.get("type")?.toLowerCase() ?? "text";
  if (type === "submit" || type === "image") form.buttons.push(readButton(attributes, ""));
  if (["submit", "image", "button", "reset", "file"].includes(type)) return;
  const isToggle = type === "checkbox" || type === "radio";
  if (isToggle && !attributes.has("checked")) return;
  const name = attributes.get("name") ?? "";
  if (name !== "") form.fields.push([name, attributes.get("value") ?? (isToggle ? "on" : "")]);
}

function addSelect(form: Draft, attributes: Attributes, content: string): void {
  const options = [...content.matchAll(/<option\b([^>]*)>([^<]*)/gi)].map(([, source = "", text = ""]) => {
    const own = parseAttributes(source);
    return { selected: own.has("selected"), value: own.get("value") ?? textOf(text) };
  });
  const chosen = options.find((option) => option.selected) ?? options[0];
  const name = attributes.get("name") ?? "";
  if (name !== "" && chosen !== undefined) form.fields.push([name, chosen.value]);
}

function addControl(form: Draft, { name: tag, attributes, content }: Tag): void {
  if (attributes.has("disabled")) return;
  const name = attributes.get("name") ?? "";
  if (tag === "input") addInput(form, attributes);
  if (tag === "select") addSelect(form, attributes, content);
  if (tag === "textarea" && name !== "") form.fields.push([name, decodeEntities(content.replace(/^\r?\n/, ""))]);
  const isSubmit = (attributes.get("type") ?? "submit").toLowerCase() === "submit";
  if (tag === "button" && isSubmit) form.buttons.push(readButton(attributes, textOf(content)));
}

function finish({ attributes, fields, buttons }: Draft): HtmlForm {
  return {
    action: attributes.get("action") ?? "",
    method: attributes.get("method")?.toUpperCase() === "POST" ? "POST" : "GET",
    enctype: attributes.get("enctype")?.toLowerCase() ?? "application/x-www-form-urlencoded",
    fields,
    buttons,
  };
}

interface Tag {
  readonly name: string;
  readonly isEnd: boolean;
  readonly attributes: Attributes;
  /** The content between a control and its end tag. */
  readonly content: string;
}

function* readTags(html: string): Generator<Tag> {
  const visible = html.replace(/<!--[\s\S]*?-->|<(script|style|template)\b[\s\S]*?<\/\1\s*>/gi, "");
  const tags = /<(\/?)(form|input|button|select|textarea)\b((?:"[^"]*"|'[^']*'|[^'">])*)>/gi;
  for (const match of visible.matchAll(tags)) {
    const [whole, slash, tag = "", source = ""] = match;
    const name = tag.toLowerCase();
    const rest = name === "input" || name === "form" ? "" : visible.slice(match.index + whole.length);
    const content = rest.slice(0, Math.max(rest.search(new RegExp(`</${name}\\s*>`, "i")), 0));
    yield { name, isEnd: slash === "/", attributes: parseAttributes(source), content };
  }
}

/** Reads every `<form>` of a page, in order. A control outside a form belongs to the one in its `form` attribute. */
export function parseForms(html: string): readonly HtmlForm[] {
  const drafts: Draft[] = [];
  const strays: Tag[] = [];
  let open: Draft | undefined;
  for (const tag of readTags(html)) {
    if (tag.isEnd) {
      if (tag.name === "form") open = undefined;
    } else if (tag.name === "form") {
      if (open !== undefined) continue; // nested forms are ignored
      open = { id: tag.attributes.get("id"), attributes: tag.attributes, fields: [], buttons: [] };
      drafts.push(open);
    } else if (tag.attributes.has("form")) strays.push(tag);
    else if (open !== undefined) addControl(open, tag);
  }
  for (const tag of strays) {
    const form = drafts.find(({ id }) => id === tag.attributes.get("form"));
    if (form !== undefined) addControl(form, tag);
  }
  return drafts.map(finish);
}
