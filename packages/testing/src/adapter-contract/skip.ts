/** Tells the framework that a test was not run, where it can be told. */
export function skip(context: unknown, reason: string): void {
  if (typeof context !== "object" || context === null) return;
  const method: unknown = Reflect.get(context, "skip");
  if (typeof method === "function") Reflect.apply(method, context, [reason]);
}
