import { isPlainObject } from "./merge-options.ts";

/** Members of a provider that are used in a URL, a header or passkey options. */
const MEMBERS = [
  ...["name", "clientId", "clientSecret", "issuer", "wellKnown", "authorization", "token", "userinfo", "jwks_endpoint"],
  ...["redirectProxyUrl", "client", "apiKey", "from", "server", "style", "relayingParty"],
] as const;

/** C0 and C1 controls, DEL, and the line separators of Unicode. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find.
const CONTROL = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/;

/** Whether a text contains a control character, such as the trailing line break of a secret that was read from a file. */
export function hasControlCharacter(text: string): boolean {
  return CONTROL.test(text);
}

/**
 * Finds control characters in the values that a provider sends in URLs and headers; URL parsers silently drop some of them.
 *
 * @returns the paths of all members that contain one, such as `token.url`. Never throws.
 */
export function findControlCharacters(provider: Readonly<Record<PropertyKey, unknown>>): readonly string[] {
  return MEMBERS.flatMap((name) => search(provider[name], name));
}

function search(value: unknown, path: string): string[] {
  if (typeof value === "string") return hasControlCharacter(value) ? [path] : [];
  if (Array.isArray(value)) return value.some((member) => search(member, path).length > 0) ? [path] : [];
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => search(member, `${path}.${name}`));
}
