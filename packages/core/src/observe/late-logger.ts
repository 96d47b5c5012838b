import type { LoggerInstance } from "../model/config.ts";
import { loadOnce } from "../model/load-once.ts";
import type { RedactingLogger } from "./logger.ts";

type Module = Pick<typeof import("./logger.ts"), "createLogger">;

/** As {@link RedactingLogger}. */
export interface LateLogger extends Pick<RedactingLogger, "logger" | "redactLater"> {
  /** Resolves when all lines have been written; undefined if none waits. */
  readonly written: () => Promise<void> | undefined;
}

/** Creates a logger; options as for `createLogger`. */
export type CreateLateLogger = (...options: Parameters<Module["createLogger"]>) => LateLogger;

/** What writes and redacts lines is loaded with the first line of a process; most requests write none (decisions/012). */
export const { createLateLogger, loadLogger } = loggersOf(() => import("./logger.ts"));

/**
 * Loggers that share what `load` loads. The first line is written as soon as that is done, every later line at once. Lines are written, and
 * values redacted, in their order.
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

/** The lines are lost: without what redacts them they are not written. */
function reportFailure(thrown: unknown): void {
  console.error(`[cardea][error] The logger could not be loaded: ${String(thrown)}`);
}
