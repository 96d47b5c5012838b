import type { ResolvedConfig } from "../model/resolved-config.ts";
import { createLogger } from "../observe/logger.ts";

/**
 * Logs a framework adapter's warning to the application's logger. Never throws.
 *
 * @param line `code: explanation`.
 */
export function logWarning({ logger, debug, redacted }: ResolvedConfig, line: string): void {
  createLogger(logger, debug, redacted).warn(line);
}
