/**
 * The fields of a form, as `URLSearchParams` reads them (URL Standard §5.1); null if one has an escape that is malformed or not UTF-8, which
 * no browser sends. Node.js takes several microseconds for each of those. Never throws.
 */
export function parseFormFields(text: string): [string, string][] | null {
  const fields: [string, string][] = [];
  try {
    for (const field of (text.startsWith("?") ? text.slice(1) : text).split("&")) {
      const equals = field.indexOf("=");
      if (equals !== -1) fields.push([decodeField(field.slice(0, equals)), decodeField(field.slice(equals + 1))]);
      else if (field !== "") fields.push([decodeField(field), ""]);
    }
    return fields;
  } catch {
    return null;
  }
}

/** Replacing many `+` of one text takes longer than a `URLSearchParams`, and making one longer than replacing a few. */
const SHORT = 100;

/** @throws URIError. */
function decodeField(text: string): string {
  const decoded = text.includes("%") ? decodeURIComponent(text) : text;
  if (!text.includes("+")) return decoded;
  if (text.length > SHORT) return new URLSearchParams(`=${text}`).get("") ?? "";
  return decodeURIComponent(text.replaceAll("+", " "));
}

/** Maximum size of a request body in bytes, at the endpoints and in a framework's own form actions (docs/behaviour.md#actions). */
export const BODY_LIMIT = 65_536;

/** Maximum number of fields. Each costs far more than its bytes, and the forms of an application have few. */
export const FIELD_LIMIT = 200;

/** Maximum length of a name. Names are compared in many spellings, which would take long for one that fills a header. */
export const NAME_LIMIT = 256;
