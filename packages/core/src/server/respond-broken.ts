import { randomHex } from "../crypto/random-hex.ts";
import type { LoggerInstance } from "../model/config.ts";
import { createLogger } from "../observe/logger.ts";
import { brokenResponse, logError, toAuthError } from "../response/error-response.ts";

/** Logs why the application cannot handle requests, and responds with the page for a broken configuration. */
export async function respondBroken(
  request: Pick<Request, "method" | "headers">,
  thrown: unknown,
  logger: Partial<LoggerInstance>,
): Promise<Response> {
  logError(toAuthError(thrown), createLogger(logger, false, []));
  return brokenResponse(request, () => randomHex(16));
}
