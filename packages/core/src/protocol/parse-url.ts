/**
 * The URL, or null where the text is not one. Never throws.
 *
 * `URL.canParse` is not used anywhere in the sources: once it has been optimized, Node 20 and 22 hand it the bytes of a Latin-1
 * string as UTF-8, so that it refuses `https://müller.example/` and accepts what `new URL` then rejects.
 *
 * @param base what a relative reference is resolved against.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
