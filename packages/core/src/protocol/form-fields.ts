import { readableEscapes } from "./query-of.ts";

/**
 * The fields of a form, as `URLSearchParams` reads them (URL Standard §5.1), with escapes as in {@link readableEscapes}. Never throws.
 * Node.js looks at every character of a form; most values have nothing to decode.
 */
export function parseFormFields(text: string): [string, string][] {
  const fields: [string, string][] = [];
  for (const field of readableEscapes(text.startsWith("?") ? text.slice(1) : text).split("&")) {
    const equals = field.indexOf("=");
    if (equals !== -1) fields.push([decode(field.slice(0, equals)), decode(field.slice(equals + 1))]);
    else if (field !== "") fields.push([decode(field), ""]);
  }
  return fields;
}

/** Replacing many `+` of one text takes longer than a `URLSearchParams`, and making one longer than replacing a few. */
const SHORT = 100;

function decode(text: string): string {
  if (text.length > SHORT && text.includes("+")) return new URLSearchParams(`=${text}`).get("") ?? "";
  const spaced = text.replaceAll("+", " ");
  return spaced.includes("%") ? decodeURIComponent(spaced) : spaced;
}
