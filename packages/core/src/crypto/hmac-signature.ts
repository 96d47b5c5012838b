import { flattenedVerify } from "jose";

/**
 * Verifies a JWS that is signed with a shared secret (RFC 7518 §3.2; the key is the UTF-8 of the secret, OIDC Core §10.1).
 * Never throws.
 *
 * @param alg the only accepted algorithm, `HS256`, `HS384` or `HS512`, whatever the token declares.
 */
export async function verifyHmacSignature(token: string, secret: string, alg: string): Promise<boolean> {
  const [header = "", payload = "", signature = "", more] = token.split(".");
  if (more !== undefined || secret === "" || !/^HS(?:256|384|512)$/.test(alg)) return false;
  const key = new TextEncoder().encode(secret);
  return flattenedVerify({ protected: header, payload, signature }, key, { algorithms: [alg] }).then(
    () => true,
    () => false,
  );
}
