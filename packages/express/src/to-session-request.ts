import type { SessionRequest } from "@cardea/core/operations";
import type { Request as ExpressRequest } from "express";
import { hostOf } from "./host-of.ts";

/**
 * The parts of a request that reading its session needs. Headers are looked up on demand; repeated ones are joined, as in
 * `Headers`. Without a host header the host is unknown, and the URL is
 * only a placeholder.
 */
export function toSessionRequest(req: ExpressRequest): SessionRequest {
  const host = hostOf(req);
  const isSecure = host !== undefined && req.protocol === "https";
  return {
    url: isSecure ? "https://localhost/" : "http://localhost/",
    headers: {
      get: (name) => {
        const field = name.toLowerCase();
        const value = field === "host" ? host : req.headers[field];
        return value === undefined ? null : [value].flat().join(", ");
      },
    },
  };
}
