/**
 * The members of a JSON object in their written order, including duplicates: `JSON.parse` uses the last of two, while a
 * proxy in front may have checked the first (RFC 8259 §4).
 *
 * @param text valid JSON of an object.
 */
export function parseJsonMembers(text: string): [string, unknown][] {
  const members: [string, unknown][] = [];
  let name: string | undefined;
  let start = 0;
  let depth = 0;
  let string = -1;
  // Scanned by character, because a body that consists of brackets has as many tokens as bytes.
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (string >= 0) {
      if (char === "\\") at += 1;
      if (char !== '"') continue;
      if (depth === 1 && name === undefined) name = parseName(text.slice(string, at + 1));
      string = -1;
      continue;
    }
    if (char === '"') string = at;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    else if (char === ":" && depth === 1) start = at + 1;
    const ends = (char === "," && depth === 1) || (depth === 0 && char === "}");
    if (!ends || name === undefined) continue;
    members.push([name, JSON.parse(text.slice(start, at))]);
    name = undefined;
  }
  return members;
}

/**
 * The first duplicate member name in an object of a JSON text, at any depth. The meaning of such a text depends on the
 * parser (RFC 8259 §4): some use the last value, others the first. null if there is none, or if the text is not JSON. Never
 * throws.
 */
export function findRepeatedMember(text: string): string | null {
  if (!isJson(text)) return null;
  const names = new Map<number, Set<string>>();
  let depth = 0;
  let string = -1;
  let last = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (string >= 0) {
      if (char === "\\") at += 1;
      if (char !== '"') continue;
      last = text.slice(string, at + 1);
      string = -1;
    } else if (char === '"') string = at;
    else if (char === "{") names.delete(++depth);
    else if (char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    else if (char === ":") {
      const name = parseName(last);
      const known = names.get(depth) ?? new Set();
      if (known.has(name)) return name;
      names.set(depth, known.add(name));
    }
  }
  return null;
}

/** Whether a text is JSON of any kind. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function parseName(token: string): string {
  return String(JSON.parse(token));
}

const QUOTE = 34;
const COLON = 58;
const COMMA = 44;
const BACKSLASH = 92;
/** `[` and `{`, `]` and `}`: the characters of each pair differ in one bit. */
const OPEN = 91;
const CLOSE = 93;
const BRACES = 32;

/** The size of a JSON text, in addition to its length. */
export interface JsonShape {
  /** The nesting depth of objects and arrays. */
  readonly depth: number;
  /** The number of members of the outermost object, duplicates included. */
  readonly members: number;
  /** An upper bound for the number of values: objects, arrays and their members. */
  readonly values: number;
}

/** Measures a JSON text in one pass, whether or not the text is valid. Never throws. */
export function measureJson(text: string): JsonShape {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let values = 1;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (inString && code === BACKSLASH) at += 1;
    else if (code === QUOTE) inString = !inString;
    else if (inString) continue;
    else if ((code & ~BRACES) === OPEN) {
      deepest = Math.max(deepest, ++depth);
      values += 1;
    } else if ((code & ~BRACES) === CLOSE) depth -= 1;
    else if (code === COMMA) values += 1;
    else if (code === COLON && depth === 1) members += 1;
  }
  return { depth: deepest, members, values };
}
