import type { Request as ExpressRequest } from "express";

/** A token (RFC 9110 §5.6.2), except methods that a `Request` cannot have (Fetch §2.2.1). */
const CARRIED = /^(?!(?:CONNECT|TRACE|TRACK)$)[!#$%&'*+.^_`|~0-9A-Z-]+$/;

/**
 * The method of a request as the routers match it: case-insensitive, including changes by override middleware. null for one
 * that a `Request` cannot have. A guard rejects such a request: with a substitute method, `callbacks.authorized` would
 * decide about a different request.
 */
export function readMethod({ method }: ExpressRequest): string | null {
  const upper = method.toUpperCase();
  return CARRIED.test(upper) ? upper : null;
}
