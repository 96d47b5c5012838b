/**
 * A cookie's value as it was before `encodeURIComponent`. Our own tokens need no escape; one that an application makes may hold
 * any character, and frameworks escape those, too. Never throws: a value with a bad escape is none that we wrote, and stays as
 * it is.
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
