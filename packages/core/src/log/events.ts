import { toError } from "../model/auth-error.ts";
import type { EventCallbacks, LoggerInstance } from "../model/callbacks.ts";
import type { EventMessage } from "../model/context.ts";
import { EventError } from "../model/errors.ts";

/** How long a request waits for an event handler. Handlers observe; they must not delay a sign-in. */
const EVENT_TIMEOUT_MS = 3_000;

/**
 * Calls the application's handler of an event, if there is one. Never throws: an error of the handler is logged as an
 * EventError, and a handler that never settles is awaited for at most three seconds.
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

/** The table of handlers pairs each event with its message; TypeScript loses the pairing when the table is indexed. */
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
