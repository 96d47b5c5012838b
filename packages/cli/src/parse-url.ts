/** The URL that a text is; null if it is not an absolute URL. Never throws. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
