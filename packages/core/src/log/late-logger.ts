import type { RedactingLogger } from "../model/callbacks.ts";
import { loadOnce } from "../model/load-once.ts";

type Module = Pick<typeof import("./logger.ts"), "createLogger">;

/** A logger that is loaded with its first line. */
export interface LateLogger {
  readonly logger: RedactingLogger;
  /** Resolves when all lines have been written; undefined if no line is waiting. */
  readonly written: () => Promise<void> | undefined;
}

/** Creates a logger; options as for `createLogger`. */
type CreateLateLogger = (...options: Parameters<Module["createLogger"]>) => LateLogger;

/** The logger is loaded with the first line of a process, because most requests log nothing (decisions/012). */
export const { createLateLogger, loadLogger } = loggersOf(() => import("./logger.ts"));

/**
 * Creates loggers that share the module that `load` returns. The first line is written once it is loaded, later lines
 * immediately. The order of lines is kept.
 */
export function loggersOf(load: () => Promise<Module>): {
  readonly createLateLogger: CreateLateLogger;
  readonly loadLogger: () => Promise<Module>;
} {
  let loaded: Module | undefined;
  const loadLogger = loadOnce(async () => {
    loaded = await load();
    return loaded;
  });
  const createLateLogger: CreateLateLogger = (...options) => {
    const waiting: ((logger: RedactingLogger) => void)[] = [];
    let opened: RedactingLogger | undefined;
    let loading: Promise<void> | undefined;
    const open = ({ createLogger }: Module): RedactingLogger => {
      opened ??= createLogger(...options);
      for (const line of waiting.splice(0)) line(opened);
      return opened;
    };
    const write = (line: (logger: RedactingLogger) => void) => {
      if (loaded !== undefined) return line(open(loaded));
      waiting.push(line);
      loading ??= loadLogger().then((module) => void open(module), reportFailure);
    };
    return {
      logger: {
        error: (error) => write((logger) => logger.error(error)),
        warn: (...line) => write((logger) => logger.warn(...line)),
        debug: (message, metadata) => write((logger) => logger.debug(message, metadata)),
      },
      written: () => (opened === undefined ? loading : undefined),
    };
  };
  return { createLateLogger, loadLogger };
}

/** The lines are lost, because they must not be written without redaction. */
function reportFailure(thrown: unknown): void {
  console.error(`[cardea][error] The logger could not be loaded: ${String(thrown)}`);
}
