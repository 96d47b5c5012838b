/**
 * A cookie's value before `encodeURIComponent`. Our own tokens need no escaping; an application's token may contain any
 * character, which frameworks escape. Never throws: a value with a malformed escape was not written by us, and is returned
 * unchanged.
 */
export function decodeCookieValue(value: string): string {
  if (!value.includes("%")) return value;
  try {
    return decodeURIComponent(value);
  } catch (error) {
    if (error instanceof URIError) return value;
    throw error;
  }
}
