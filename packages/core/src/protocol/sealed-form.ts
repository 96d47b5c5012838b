/** Five base64url parts (RFC 7516 §7.1); with a direct key the second is empty. */
const COMPACT_JWE = /^[\w-]+(?:\.[\w-]*){4}$/;

/**
 * Whether a session token has the form of an encrypted one, unlike those of the database strategy. Does not check its
 * content.
 */
export function hasSealedForm(token: string): boolean {
  return COMPACT_JWE.test(token);
}
