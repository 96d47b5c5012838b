import type { EventCallbacks, LoggerInstance } from "../model/config.ts";
import type { EventMessage } from "../model/context.ts";
import { EventError } from "../model/errors.ts";
import { toError } from "../model/to-error.ts";

/** How long a request waits for an event handler. Handlers observe; they must not hold up a sign-in. */
const EVENT_TIMEOUT_MS = 3_000;

/**
 * Tells the application's handler of an event, if it has one. Never throws: what the handler throws is logged as an
 * EventError, and one that never settles is waited for no longer than three seconds.
 */
export async function emitEvent<E extends keyof EventCallbacks>(
  events: EventCallbacks,
  logger: LoggerInstance,
  event: E,
  message: EventMessage<E>,
): Promise<void> {
  const handler: ((message: EventMessage<E>) => unknown) | undefined = parseHandler(events[event]);
  if (handler === undefined) return;
  try {
    await settled(Promise.resolve(handler(message)));
  } catch (error) {
    logger.error(new EventError(`events.${event} failed.`, { cause: { err: toError(error), event } }));
  }
}

/** The table of handlers pairs each event with its message; the compiler loses the pair when it is indexed. */
function parseHandler<M>(handler: unknown): ((message: M) => unknown) | undefined {
  return typeof handler === "function" ? (handler as (message: M) => unknown) : undefined;
}

function settled(handling: Promise<unknown>): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`did not settle within ${EVENT_TIMEOUT_MS} ms`)), EVENT_TIMEOUT_MS);
  });
  return Promise.race([handling, timeout]).finally(() => clearTimeout(timer));
}
