/** Parses an absolute URL; null if it is invalid. Never throws. */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
