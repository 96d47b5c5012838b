import { createLogger } from "../log/logger.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";

/**
 * Logs a framework adapter's warning to the application's logger. Never throws.
 *
 * @param line `code: explanation`.
 */
export function logWarning({ logger, debug, redacted }: ResolvedConfig, line: string): void {
  createLogger(logger, debug, redacted).warn(line);
}
