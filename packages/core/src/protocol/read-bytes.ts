type Bytes = Uint8Array<ArrayBuffer>;

/** The result of reading from a stream; undefined if there is no stream. */
type Part = { readonly done: true } | { readonly done: false; readonly value: Uint8Array } | undefined;

/**
 * Reads all bytes of a stream.
 *
 * @param next reads the next part.
 * @returns null as soon as there are more than `limit` bytes; the rest is not read.
 * @throws any error of `next`.
 */
export async function readBytes(next: () => Promise<Part>, limit: number): Promise<Bytes | null> {
  const parts: Bytes[] = [];
  let size = 0;
  for (let part = await next(); part?.done === false; part = await next()) {
    size += part.value.byteLength;
    if (size > limit) return null;
    parts.push(new Uint8Array(part.value));
  }
  const [first] = parts;
  return first !== undefined && parts.length === 1 ? first : join(parts, size);
}

function join(parts: readonly Bytes[], size: number): Bytes {
  const joined = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.byteLength;
  }
  return joined;
}
