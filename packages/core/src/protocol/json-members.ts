/** Strings and the six structural characters (RFC 8259 §2); between them are only numbers, literals and white space. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/**
 * The members of a JSON object in the order in which they were written, repeated names included: of two `JSON.parse` keeps
 * the last, while a proxy in front may have judged the first (RFC 8259 §4, safety H271).
 *
 * @param text valid JSON of an object.
 */
export function parseJsonMembers(text: string): [string, unknown][] {
  const members: [string, unknown][] = [];
  let name: string | undefined;
  let start = 0;
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === "{" || token === "[") depth += 1;
    if (token === "}" || token === "]") depth -= 1;
    if (token === ":" && depth === 1) start = index + 1;
    if (token.startsWith('"') && depth === 1) name ??= parseName(token);
    const ends = (token === "," && depth === 1) || depth === 0;
    if (!ends || name === undefined) continue;
    members.push([name, JSON.parse(text.slice(start, index))]);
    name = undefined;
  }
  return members;
}

function parseName(token: string): string {
  return String(JSON.parse(token));
}
