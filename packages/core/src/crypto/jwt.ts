/**
 * Session tokens: JWE with `alg: dir`. The key is derived from the secret by HKDF-SHA-256 with the full name of the cookie
 * (prefix included) as salt; `kid` is its RFC 7638 thumbprint, so that the right one of several secrets is found at once.
 */
import type { JWTDecodeParams, JWTEncodeParams } from "../model/config.ts";
import type { JWT } from "../model/records.ts";
import { DEFAULT_SESSION_MAX_AGE } from "../model/units.ts";
import { openClaims, sealClaims } from "./sealed-claims.ts";

/**
 * Makes a session token.
 *
 * @throws TypeError when no secret is given.
 */
export function encode(params: JWTEncodeParams): Promise<string> {
  const { token = {}, secret, salt, maxAge = DEFAULT_SESSION_MAX_AGE } = params;
  return sealClaims(token, { secrets: toSecrets(secret), purpose: "session", salt }, maxAge);
}

/**
 * Reads a session token: its claims, or null when it is missing, was not made with one of the secrets, or has expired.
 *
 * @throws TypeError when no secret is given.
 */
export async function decode(params: JWTDecodeParams): Promise<JWT | null> {
  const secrets = toSecrets(params.secret);
  if (params.token === undefined || params.token === "") return null;
  return openClaims(params.token, { secrets, purpose: "session", salt: params.salt });
}

function toSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets = (typeof secret === "string" ? [secret] : secret).filter((candidate) => candidate !== "");
  if (secrets.length === 0) throw new TypeError("`secret` must be a non-empty string or a list of them.");
  return secrets;
}
