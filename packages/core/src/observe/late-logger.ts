import type { LoggerInstance } from "../model/config.ts";
import { loadOnce } from "../model/when-there.ts";
import type { RedactingLogger } from "./logger.ts";

type Module = Pick<typeof import("./logger.ts"), "createLogger">;

/** A {@link RedactingLogger} that is loaded with its first line. */
export interface LateLogger extends Pick<RedactingLogger, "logger" | "redactLater"> {
  /** Resolves when all lines have been written; undefined if no line is waiting. */
  readonly written: () => Promise<void> | undefined;
}

/** Creates a logger; options as for `createLogger`. */
export type CreateLateLogger = (...options: Parameters<Module["createLogger"]>) => LateLogger;

/** The logger is loaded with the first line of a process, because most requests log nothing (decisions/012). */
export const { createLateLogger, loadLogger } = loggersOf(() => import("./logger.ts"));

/**
 * Creates loggers that share the module that `load` returns. The first line is written once it is loaded, later lines
 * immediately. The order of lines and of registered secrets is kept.
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
      for (const use of waiting.splice(0)) use(opened);
      return opened;
    };
    const write = (line: (logger: LoggerInstance) => void) => {
      if (loaded !== undefined) return line(open(loaded).logger);
      waiting.push(({ logger }) => line(logger));
      loading ??= loadLogger().then((module) => void open(module), reportFailure);
    };
    return {
      logger: {
        error: (error) => write((logger) => logger.error(error)),
        warn: (code) => write((logger) => logger.warn(code)),
        debug: (message, metadata) => write((logger) => logger.debug(message, metadata)),
      },
      redactLater: (values) => {
        if (opened === undefined) waiting.push(({ redactLater }) => redactLater(values));
        else opened.redactLater(values);
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
