import type { SessionRequest } from "@cardea/core/operations";
import type { Request as ExpressRequest } from "express";

/**
 * A request as far as reading its session goes. Headers are looked up as they are asked for; those of the same name are one, as
 * in a `Headers`. Without a `Host` header the host is unknown, and the protocol is not the server's to say.
 */
export function toSessionRequest(req: ExpressRequest): SessionRequest {
  const isSecure = req.headers.host !== undefined && req.protocol === "https";
  return {
    url: isSecure ? "https://localhost/" : "http://localhost/",
    headers: {
      get: (name) => {
        const value = req.headers[name.toLowerCase()];
        return value === undefined ? null : [value].flat().join(", ");
      },
    },
  };
}
