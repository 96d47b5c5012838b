import { plainResponse } from "../response/plain-response.ts";

/**
 * The response to a request with several hosts; null for any other. A proxy may have used another one than the application, for
 * its rules or to choose the application (RFC 9112 §3.2). For framework adapters: call it before the configuration, a guard or a
 * callback sees the request.
 *
 * @param host the header `Host`, several joined as in `Headers`; a host contains no comma.
 */
export function refuseHost(host: string | null | undefined): Response | null {
  return host?.includes(",") === true ? plainResponse(400, "The host of this request is ambiguous.") : null;
}
