/**
 * Session tokens: JWE with `alg: dir`. The key is derived from the secret by HKDF-SHA-256, with the full cookie name
 * (prefix included) as salt. `kid` is its RFC 7638 thumbprint, which selects the right one of several secrets.
 */
import type { JWTDecodeParams, JWTEncodeParams } from "../model/config.ts";
import { SESSION_COOKIE } from "../model/cookie-options.ts";
import type { JWT } from "../model/records.ts";
import { DEFAULT_SESSION_MAX_AGE } from "../model/units.ts";
import { decryptClaims, encryptClaims } from "./sealed-claims.ts";

/** Without a salt: the session cookie's name on https. `getToken()` reads such a token from an `Authorization` header. */
const DEFAULT_SALT = `__Host-${SESSION_COOKIE}`;

/** The salt may be absent. */
type WithoutSalt<T> = Omit<T, "salt"> & { readonly salt?: string | undefined };

/**
 * Creates a session token.
 *
 * @throws TypeError if no secret is given; the environment is not read.
 */
export async function encode(params: WithoutSalt<JWTEncodeParams>): Promise<string> {
  const { token = {}, secret, salt = DEFAULT_SALT, maxAge = DEFAULT_SESSION_MAX_AGE } = params;
  return encryptClaims(token, { secrets: toSecrets(secret), purpose: "session", salt }, maxAge);
}

/**
 * Reads a session token. Resolves to its claims, or to null if it is missing, expired, or encrypted with another secret.
 *
 * @throws TypeError if no secret is given; the environment is not read.
 */
export async function decode(params: WithoutSalt<JWTDecodeParams>): Promise<JWT | null> {
  const secrets = toSecrets(params.secret);
  if (params.token === undefined || params.token === "") return null;
  return decryptClaims(params.token, { secrets, purpose: "session", salt: params.salt ?? DEFAULT_SALT });
}

/** Callers without types may pass a variable that is not set. */
function toSecrets(secret: string | readonly string[] | undefined): readonly string[] {
  const secrets = [secret ?? []].flat().filter((candidate) => candidate !== "");
  if (secrets.length === 0) throw new TypeError("`secret` must be a non-empty string or a list of non-empty strings.");
  return secrets;
}
