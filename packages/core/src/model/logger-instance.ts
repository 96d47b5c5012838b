/** Receives log output. Missing methods fall back to the console. */
export interface LoggerInstance {
  /** Receives problems that the operator needs to fix. */
  error(error: Error): void;
  /** Receives invalid client requests and questionable configuration: a code, followed by a sentence. */
  warn(code: string): void;
  /** Receives details; called only if it is set or `debug` is on. */
  debug(message: string, metadata?: unknown): void;
}
