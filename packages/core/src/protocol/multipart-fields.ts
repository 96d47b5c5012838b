/** RFC 2046 §5.1.1, without spaces, which no client uses. */
const BOUNDARY = /;[ \t]*boundary="?([^\s";]+)/i;

/** RFC 7578 §4.2. A part with `filename` is a file, even with an empty one. */
const DISPOSITION = /^content-disposition:[ \t]*form-data;[ \t]*name="([^"\r\n]*)"[ \t]*(;[ \t]*filename\*?=.*)?$/im;

/** How browsers write a quotation mark and line breaks in a name (HTML §4.10.21.8). */
const ESCAPED = /%(?:22|0a|0d)/gi;

/**
 * The fields of a `multipart/form-data` body (RFC 7578), in their order; the value of a file is null. Never throws; null if the body is not
 * well-formed or ends early. `formData()` takes several times as long, because it also reads what no form without files contains.
 *
 * @param text of the body, decoded as UTF-8.
 * @param contentType with the boundary.
 */
export function parseMultipartFields(text: string, contentType: string): [string, string | null][] | null {
  const [, boundary] = BOUNDARY.exec(contentType) ?? [];
  const [preamble, ...parts] = `\r\n${text}`.split(`\r\n--${boundary}`);
  if (boundary === undefined || preamble?.trim() !== "" || !parts.pop()?.startsWith("--")) return null;
  const fields: [string, string | null][] = [];
  for (const part of parts) {
    const end = part.indexOf("\r\n\r\n");
    const [, name, file] = (part.startsWith("\r\n") && DISPOSITION.exec(part.slice(0, end + 2))) || [];
    if (end === -1 || name === undefined) return null;
    fields.push([name.replace(ESCAPED, decodeURIComponent), file === undefined ? part.slice(end + 4) : null]);
  }
  return fields;
}
