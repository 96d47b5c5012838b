/**
 * The URL, or null if the text is not one. Never throws.
 *
 * `URL.canParse` is not used anywhere in the sources: once it has been optimised, Node 20 and 22 pass it the bytes of a
 * Latin-1 string as UTF-8, so that it rejects `https://müller.example/` and accepts text that `new URL` then rejects.
 *
 * @param base for resolving a relative reference.
 */
export function parseUrl(text: string, base?: string | URL): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
