/** Maximum number of parameters, as in a body: no link or provider has as many, and each costs far more than its bytes. */
const PARAMETER_LIMIT = 200;

/** Escapes, or what looks like one, of anything but ASCII characters. */
const NOT_ASCII = /(?:%(?![0-7][\da-f])(?:[\da-f]{2})?)+/gi;

/** The first 200 parameters in the query of a URL; escapes as in {@link readableEscapes}. Never throws. */
export function queryOf({ search }: URL): URLSearchParams {
  return new URLSearchParams(readableEscapes(search.split("&", PARAMETER_LIMIT).join("&")));
}

/**
 * A query without escapes that are malformed or not UTF-8. With one of them, all that are not of ASCII characters become U+FFFD.
 * Node.js takes several microseconds for each parameter with such an escape: a header has room for twenty milliseconds of them. Never throws.
 */
export function readableEscapes(text: string): string {
  try {
    // The result is used, because bundlers remove a call whose result is not.
    return decodeURIComponent(text) === "" ? "" : text;
  } catch {
    return text.replace(NOT_ASCII, "\ufffd");
  }
}
