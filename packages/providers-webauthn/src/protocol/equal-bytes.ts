/** Whether two byte sequences are equal. Not in constant time: for non-secret values only. */
export function isEqualBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
