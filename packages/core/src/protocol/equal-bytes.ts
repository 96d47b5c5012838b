/** Whether two sequences of bytes are the same. Not in constant time: for what is no secret. */
export function isEqualBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
