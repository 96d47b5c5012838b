/** A value in canonical CBOR (CTAP2 §8), limited to the types that attestations need. */
export type CborValue = number | string | Uint8Array | ReadonlyMap<number | string, CborValue>;

/** Encodes a value (RFC 8949). Maps keep their insertion order. */
export function encodeCbor(value: CborValue): Uint8Array {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return withHead(3, new TextEncoder().encode(value));
  if (value instanceof Uint8Array) return withHead(2, value);
  const parts = [...value].flatMap(([key, member]) => [encodeCbor(key), encodeCbor(member)]);
  return concat([head(5, value.size), ...parts]);
}

/** Joins byte strings. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function withHead(major: number, bytes: Uint8Array): Uint8Array {
  return concat([head(major, bytes.length), bytes]);
}

/** RFC 8949 §3: the major type, and the argument in as few bytes as possible. */
function head(major: number, argument: number): Uint8Array {
  const type = major << 5;
  if (argument < 24) return Uint8Array.of(type | argument);
  if (argument < 0x100) return Uint8Array.of(type | 24, argument);
  if (argument < 0x1_0000) return Uint8Array.of(type | 25, argument >> 8, argument & 0xff);
  return Uint8Array.of(type | 26, argument >>> 24, (argument >> 16) & 0xff, (argument >> 8) & 0xff, argument & 0xff);
}
