import { parseExactJson } from "./exact-json.ts";
import { findRepeatedMember } from "./json-members.ts";

/**
 * Header (0) or claims (1) of a JWT, every number of them exact. Whether they are true is for others to check.
 *
 * @throws when the segment is not base64url of JSON, or names a member twice (RFC 7515 §4, RFC 7519 §4).
 */
export function parseJwtSegment(token: string, index: 0 | 1): Record<string, unknown> {
  const segment = (token.trim().split(".")[index] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(segment), (char) => char.charCodeAt(0));
  const text = new TextDecoder().decode(bytes);
  if (findRepeatedMember(text) !== null) throw new SyntaxError("The JWT names a member twice.");
  const value: unknown = parseExactJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
