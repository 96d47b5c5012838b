import type { Adapter } from "../model/adapter.ts";
import { AdapterError, MissingAdapterMethods } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { toError } from "../model/to-error.ts";
import { within } from "./within.ts";

type MethodName = keyof Adapter;
type Method<M extends MethodName> = NonNullable<Adapter[M]>;

/** How long a database may take before a request gives up on it. */
const ADAPTER_TIMEOUT_MS = 10_000;

/** Whether the configured adapter has all of these methods. */
export function adapterHas(config: ResolvedConfig, ...methods: readonly MethodName[]): boolean {
  return methods.every((method) => typeof config.adapter?.[method] === "function");
}

/**
 * Calls a method of the database adapter. What it rejects with, whatever that is, becomes an AdapterError that names the
 * method; a call that does not settle is given up after ten seconds.
 *
 * @throws AdapterError; MissingAdapterMethods for a method that should have been found missing at start-up.
 */
export async function callAdapter<M extends MethodName>(
  config: ResolvedConfig,
  name: M,
  ...args: Parameters<Method<M>>
): Promise<Awaited<ReturnType<Method<M>>>> {
  const { adapter } = config;
  const method = adapter?.[name];
  if (adapter === undefined || method === undefined) throw new MissingAdapterMethods(`The adapter has no \`${name}\`.`);
  try {
    return parseResult<M>(await within(ADAPTER_TIMEOUT_MS, Reflect.apply(method, adapter, args)));
  } catch (error) {
    throw new AdapterError(`\`${name}\` of the adapter failed.`, { cause: { err: toError(error), method: name } });
  }
}

/** What the adapter promises by its type. */
function parseResult<M extends MethodName>(result: unknown): Awaited<ReturnType<Method<M>>> {
  return result as Awaited<ReturnType<Method<M>>>;
}
