/** COSE key parameters: type, algorithm, curve (RFC 9052 §7.1, RFC 9053 §7). */
const KTY = 1;
const ALG = 3;
const CRV = -1;

/**
 * The key type and curve that WebAuthn uses with an algorithm (WebAuthn L3 §5.8.5): ES256 only with P-256, EdDSA only with
 * Ed25519. Others are left to the library that verifies signatures.
 */
const KEYS: ReadonlyMap<unknown, { readonly kty: number; readonly crv?: number }> = new Map([
  [-7, { kty: 2, crv: 1 }],
  [-8, { kty: 1, crv: 6 }],
  [-35, { kty: 2, crv: 2 }],
  [-36, { kty: 2, crv: 3 }],
  [-37, { kty: 3 }],
  [-38, { kty: 3 }],
  [-39, { kty: 3 }],
  [-257, { kty: 3 }],
  [-258, { kty: 3 }],
  [-259, { kty: 3 }],
]);

/** Whether the type and curve of a public key are those of its algorithm (WebAuthn L3 §5.8.5). */
export function matchesAlgorithm(key: { get(parameter: number): unknown }): boolean {
  const expected = KEYS.get(key.get(ALG));
  if (expected === undefined) return true;
  return key.get(KTY) === expected.kty && (expected.crv === undefined || key.get(CRV) === expected.crv);
}
