import type { Request as ExpressRequest } from "express";

/** A token (RFC 9110 §5.6.2), but none of the methods that a `Request` cannot have (Fetch §2.2.1). */
const CARRIED = /^(?!(?:CONNECT|TRACE|TRACK)$)[!#$%&'*+.^_`|~0-9A-Z-]+$/;

/**
 * The method of a request as the routers match it: without regard to case, whatever a middleware for overrides wrote there.
 * null for one that no `Request` can have. A guard refuses it: told another method in its place, `callbacks.authorized` would
 * decide about a request that is not made.
 */
export function readMethod({ method }: ExpressRequest): string | null {
  const upper = method.toUpperCase();
  return CARRIED.test(upper) ? upper : null;
}
