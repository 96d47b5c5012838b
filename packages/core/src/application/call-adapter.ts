import type { Adapter, AdapterMethod } from "../model/adapter.ts";
import { AdapterError, MissingAdapterMethods } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { toError } from "../model/to-error.ts";
import { parseRecords } from "./parse-records.ts";
import { withTimeout } from "./with-timeout.ts";

type Method<M extends AdapterMethod> = NonNullable<Adapter[M]>;

/** How long a database may take before a request gives up on it. */
const ADAPTER_TIMEOUT_MS = 10_000;

/** Whether the configured adapter has all of these methods. */
export function adapterHas(config: ResolvedConfig, ...methods: readonly AdapterMethod[]): boolean {
  return methods.every((method) => typeof config.adapter?.[method] === "function");
}

/**
 * Calls a method of the database adapter. What it rejects with, whatever that is, becomes an AdapterError that names the
 * method; a call that does not settle is given up after ten seconds.
 *
 * @throws AdapterError; MissingAdapterMethods for a method that should have been found missing at start-up.
 */
export async function callAdapter<M extends AdapterMethod>(
  config: ResolvedConfig,
  name: M,
  ...args: Parameters<Method<M>>
): Promise<Awaited<ReturnType<Method<M>>>> {
  const { adapter } = config;
  const method = adapter?.[name];
  if (adapter === undefined || method === undefined) throw new MissingAdapterMethods(`The adapter has no \`${name}\`.`);
  try {
    return parseResult<M>(name, await withTimeout(ADAPTER_TIMEOUT_MS, Reflect.apply(method, adapter, args)));
  } catch (error) {
    throw new AdapterError(`\`${name}\` of the adapter failed.`, { cause: { err: toError(error), method: name } });
  }
}

/** What the adapter promises by its type; ids are checked, see {@link requireExactIds}, and times parsed. */
function parseResult<M extends AdapterMethod>(name: M, result: unknown): Awaited<ReturnType<Method<M>>> {
  requireExactIds(result);
  return parseRecords(name, result) as Awaited<ReturnType<Method<M>>>;
}

/** A driver that reads 64-bit keys as doubles gives several rows one id; then nothing that it returned can be trusted. */
function requireExactIds(result: unknown): void {
  if (typeof result !== "object" || result === null) return;
  const { id, userId, session, user }: Record<string, unknown> = { ...result };
  for (const value of [id, userId]) {
    if (typeof value !== "number" || Number.isSafeInteger(value)) continue;
    throw new TypeError("it returned a numeric id that is not a safe integer; let the driver return such ids as text");
  }
  for (const member of Array.isArray(result) ? result : [session, user]) requireExactIds(member);
}
