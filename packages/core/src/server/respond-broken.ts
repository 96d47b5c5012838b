import { randomHex } from "../crypto/random-hex.ts";
import { brokenResponse } from "../http/error-response.ts";
import { toAuthError } from "../http/log-error.ts";
import { createLogger } from "../log/logger.ts";
import type { LoggerInstance } from "../model/callbacks.ts";

/** Logs why the application cannot handle requests, and responds with the page for a broken configuration. */
export function respondBroken(
  request: Pick<Request, "method" | "headers">,
  thrown: unknown,
  logger: Partial<LoggerInstance>,
): Promise<Response> {
  return brokenResponse(request, toAuthError(thrown), createLogger(logger, false, []), () => randomHex(16));
}
