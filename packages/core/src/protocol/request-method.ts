/** A token (RFC 9110 §5.6.2), except methods that a `Request` cannot have (Fetch §2.2.1). */
const CARRIED = /^(?!(?:CONNECT|TRACE|TRACK)$)[!#$%&'*+.^_`|~0-9A-Z-]+$/i;

/**
 * The method in upper case, as routers match it; null if a `Request` cannot have it. A guard rejects such a request, because
 * with a substitute method `callbacks.authorized` would decide about a different request.
 */
export function carriedMethod(method: string): string | null {
  return CARRIED.test(method) ? method.toUpperCase() : null;
}
