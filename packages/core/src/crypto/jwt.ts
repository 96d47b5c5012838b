/**
 * Session tokens: JWE with `alg: dir`. The key is derived from the secret by HKDF-SHA-256, with the full cookie name
 * (prefix included) as salt. `kid` is its RFC 7638 thumbprint, which selects the right one of several secrets.
 */
import type { JWTDecodeParams, JWTEncodeParams } from "../model/config.ts";
import type { JWT } from "../model/records.ts";
import { DEFAULT_SESSION_MAX_AGE } from "../model/units.ts";
import { openClaims, sealClaims } from "./sealed-claims.ts";

/**
 * Creates a session token.
 *
 * @throws TypeError if no secret is given; the environment is not read.
 */
export async function encode(params: JWTEncodeParams): Promise<string> {
  const { token = {}, secret, salt, maxAge = DEFAULT_SESSION_MAX_AGE } = params;
  return sealClaims(token, { secrets: toSecrets(secret), purpose: "session", salt }, maxAge);
}

/**
 * Reads a session token. Resolves to its claims, or to null if it is missing, expired, or encrypted with another secret.
 *
 * @throws TypeError if no secret is given; the environment is not read.
 */
export async function decode(params: JWTDecodeParams): Promise<JWT | null> {
  const secrets = toSecrets(params.secret);
  if (params.token === undefined || params.token === "") return null;
  return openClaims(params.token, { secrets, purpose: "session", salt: params.salt });
}

/** Callers without types may pass a variable that is not set. */
function toSecrets(secret: string | readonly string[] | undefined): readonly string[] {
  const secrets = [secret ?? []].flat().filter((candidate) => candidate !== "");
  if (secrets.length === 0) throw new TypeError("`secret` must be a non-empty string or a list of non-empty strings.");
  return secrets;
}
