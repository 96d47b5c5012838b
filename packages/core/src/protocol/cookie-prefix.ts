/** A cookie's name without `__Secure-` or `__Host-` (RFC 6265bis §4.1.3). */
export function withoutPrefix(name: string): string {
  return name.replace(/^__(?:Secure|Host)-/, "");
}

/** Every name that a cookie may have: with each prefix, and without one. */
export function prefixedNames(name: string): readonly string[] {
  return [`__Host-${name}`, `__Secure-${name}`, name];
}
