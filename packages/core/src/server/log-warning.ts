import type { ResolvedConfig } from "../model/resolved-config.ts";
import { createLogger } from "../observe/logger.ts";

/**
 * Writes a warning of a binding to the application's log. Never throws.
 *
 * @param line `code: explanation`.
 */
export function logWarning({ logger, debug, redacted }: ResolvedConfig, line: string): void {
  createLogger(logger, debug, redacted).logger.warn(line);
}
