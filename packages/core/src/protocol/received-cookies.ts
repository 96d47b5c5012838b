/** The cookies of a request as sent, without unescaping. */
export interface ReceivedCookies {
  /** By name. If a name was sent several times, the first value. */
  readonly received: ReadonlyMap<string, string>;
  /**
   * The names that were sent with different values, each with its values in the order of the header. Such a cookie is
   * ambiguous: the order does not prove which value is ours (RFC 6265 §5.4).
   */
  readonly repeated: ReadonlyMap<string, readonly string[]>;
}

const NONE: ReadonlyMap<string, readonly string[]> = new Map();

/** Reads a `Cookie` header (RFC 6265 §4.2.1). Never throws: anything other than `name=value` is skipped. */
export function parseCookieHeader(header: string): ReceivedCookies {
  const received = new Map<string, string>();
  let repeated: Map<string, string[]> | undefined;
  let equals = -1;
  for (let start = 0; start < header.length; ) {
    const semicolon = header.indexOf(";", start);
    const end = semicolon === -1 ? header.length : semicolon;
    // Found once for all parts before it: a search for each would take the square of their number.
    if (equals < start) equals = header.indexOf("=", start);
    if (equals === -1) break;
    if (equals < end) {
      const name = trimBlanks(header.slice(start, equals));
      const value = trimBlanks(header.slice(equals + 1, end));
      const first = received.get(name);
      if (first === undefined) received.set(name, value);
      else if (first !== value) {
        repeated ??= new Map();
        const values = repeated.get(name);
        if (values === undefined) repeated.set(name, [first, value]);
        else values.push(value);
      }
    }
    start = end + 1;
  }
  return { received, repeated: repeated ?? NONE };
}

/**
 * A part of a `Cookie` header without the spaces and tabs around it (RFC 6265bis §5.6). Other white space, such as U+00A0, which
 * `trim()` removes as well, belongs to a name: a sibling domain may set a cookie `\u00a0__Host-x`, which is not `__Host-x`.
 */
export function trimBlanks(text: string): string {
  let start = 0;
  let end = text.length;
  while (isBlank(text[start])) start++;
  while (end > start && isBlank(text[end - 1])) end--;
  return text.slice(start, end);
}

const isBlank = (one: string | undefined): boolean => one === " " || one === "\t";

/** A cookie's name without `__Secure-` or `__Host-` (RFC 6265bis §4.1.3). */
export function withoutPrefix(name: string): string {
  return name.replace(/^__(?:Secure|Host)-/, "");
}

/** Every name that a cookie may have: with each prefix, and without one. */
export function prefixedNames(name: string): readonly string[] {
  return [`__Host-${name}`, `__Secure-${name}`, name];
}
