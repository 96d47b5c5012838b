import type { FlowContext } from "../model/context.ts";

const warned = new WeakMap<object, Set<string>>();

/** Logs a warning about a configuration once for each application. */
export function warnOnce({ config, logger }: FlowContext, warning: string): void {
  const known = warned.get(config.application) ?? new Set<string>();
  warned.set(config.application, known);
  if (known.has(warning)) return;
  known.add(warning);
  logger.warn(warning);
}
