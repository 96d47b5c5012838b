import { parseExactJson } from "./exact-json.ts";
import { findRepeatedMember } from "./json-members.ts";

/**
 * Header (0) or claims (1) of a JWT, with exact numbers. Does not verify them.
 *
 * @throws if the segment is not base64url of JSON, or has a duplicate member (RFC 7515 §4, RFC 7519 §4).
 */
export function parseJwtSegment(token: string, index: 0 | 1): Record<string, unknown> {
  const segment = (token.trim().split(".")[index] ?? "").replaceAll("-", "+").replaceAll("_", "/");
  const bytes = Uint8Array.from(atob(segment), (char) => char.charCodeAt(0));
  const text = new TextDecoder().decode(bytes);
  if (findRepeatedMember(text) !== null) throw new SyntaxError("The JWT contains a duplicate member.");
  const value: unknown = parseExactJson(text);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
