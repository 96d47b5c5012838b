import { concat } from "./cbor.ts";

/** Converts WebCrypto's ECDSA signature (r and s, 32 bytes each) to the ASN.1 form of authenticators (WebAuthn L3 §6.5.5). */
export function toDerSignature(signature: Uint8Array): Uint8Array {
  const body = concat([integer(signature.subarray(0, 32)), integer(signature.subarray(32))]);
  return concat([Uint8Array.of(0x30, body.length), body]);
}

/** A positive integer, without leading zeros except the one that keeps it positive (X.690 §8.3). */
function integer(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first === -1 ? Uint8Array.of(0) : bytes.subarray(first);
  const sign = (digits[0] ?? 0) > 0x7f ? [Uint8Array.of(0)] : [];
  const content = concat([...sign, digits]);
  return concat([Uint8Array.of(0x02, content.length), content]);
}
