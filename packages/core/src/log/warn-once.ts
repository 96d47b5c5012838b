import type { FlowContext } from "../model/context.ts";

const warned = new WeakMap<object, Set<string>>();

/** Logs a warning about a configuration once for each application, by the code that it begins with: requests determine the rest. */
export function warnOnce({ config, logger }: Pick<FlowContext, "config" | "logger">, warning: string): void {
  const known = warned.get(config.application) ?? new Set<string>();
  warned.set(config.application, known);
  const [code = ""] = warning.split(":", 1);
  if (known.has(code)) return;
  known.add(code);
  logger.warn(warning);
}
