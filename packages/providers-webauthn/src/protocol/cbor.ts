/** A CBOR value, as authenticators encode it. */
export type Cbor = number | string | boolean | null | Uint8Array | readonly Cbor[] | ReadonlyMap<Cbor, Cbor>;

/** A value, and the position of its end. */
export interface DecodedCbor {
  readonly value: Cbor;
  readonly end: number;
}

/** No attestation is nested deeper; CTAP2 itself allows four levels. */
const MAX_DEPTH = 8;

/**
 * Reads one value in the CBOR subset of CTAP2 (FIDO CTAP 2.1 §8): definite lengths, no tags, no floating-point numbers,
 * integers up to 2^53. Maps with duplicate keys are rejected. Never throws.
 *
 * @returns null for anything else.
 */
export function decodeCbor(bytes: Uint8Array, start = 0, depth = 0): DecodedCbor | null {
  const head = depth > MAX_DEPTH ? null : readHead(bytes, start);
  if (head === null) return null;
  const { major, argument, end } = head;
  switch (major) {
    case 0:
      return { value: argument, end };
    case 1:
      return { value: -1 - argument, end };
    case 2:
    case 3:
      return readString(bytes, head);
    case 4:
      return readArray(bytes, head, depth);
    case 5:
      return readMap(bytes, head, depth);
    case 7:
      return SIMPLE.has(argument) && end === start + 1 ? { value: SIMPLE.get(argument) ?? null, end } : null;
    default:
      return null;
  }
}

const SIMPLE: ReadonlyMap<number, boolean | null> = new Map([
  [20, false],
  [21, true],
  [22, null],
]);

interface Head {
  readonly major: number;
  readonly argument: number;
  readonly end: number;
}

/** RFC 8949 §3: three bits of type, five of length; longer arguments follow. */
function readHead(bytes: Uint8Array, start: number): Head | null {
  const first = bytes[start];
  if (first === undefined) return null;
  const major = first >> 5;
  const short = first & 31;
  if (short < 24) return { major, argument: short, end: start + 1 };
  const length = [1, 2, 4, 8][short - 24];
  if (length === undefined || bytes.length < start + 1 + length) return null;
  let argument = 0;
  for (const byte of bytes.subarray(start + 1, start + 1 + length)) argument = argument * 256 + byte;
  return Number.isSafeInteger(argument) ? { major, argument, end: start + 1 + length } : null;
}

function readString(bytes: Uint8Array, { major, argument, end }: Head): DecodedCbor | null {
  if (bytes.length - end < argument) return null;
  const content = bytes.subarray(end, end + argument);
  if (major === 2) return { value: content, end: end + argument };
  try {
    return { value: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content), end: end + argument };
  } catch {
    return null;
  }
}

function readArray(bytes: Uint8Array, { argument, end }: Head, depth: number): DecodedCbor | null {
  const list: Cbor[] = [];
  let at = end;
  for (let index = 0; index < argument; index++) {
    const item = decodeCbor(bytes, at, depth + 1);
    if (item === null) return null;
    list.push(item.value);
    at = item.end;
  }
  return { value: list, end: at };
}

function readMap(bytes: Uint8Array, { argument, end }: Head, depth: number): DecodedCbor | null {
  const map = new Map<Cbor, Cbor>();
  let at = end;
  for (let index = 0; index < argument; index++) {
    const key = decodeCbor(bytes, at, depth + 1);
    const member = key === null ? null : decodeCbor(bytes, key.end, depth + 1);
    if (key === null || member === null || !isKey(key.value) || map.has(key.value)) return null;
    map.set(key.value, member.value);
    at = member.end;
  }
  return { value: map, end: at };
}

function isKey(key: Cbor): key is number | string {
  return typeof key === "number" || typeof key === "string";
}
