import type { EventCallbacks } from "../model/callbacks.ts";
import type { EventMessage, FlowContext } from "../model/context.ts";

/** A context that holds events back until `release()`, so that no event is emitted for a change that may still be undone. */
export function deferEvents(context: FlowContext): {
  readonly context: FlowContext;
  readonly release: () => Promise<void>;
} {
  const deferred: (() => Promise<void>)[] = [];
  const emit = async <E extends keyof EventCallbacks>(event: E, message: EventMessage<E>) => {
    deferred.push(() => context.emit(event, message));
  };
  const release = async () => {
    for (const announce of deferred) await announce();
  };
  return { context: { ...context, emit }, release };
}
