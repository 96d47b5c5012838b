import type { Adapter, AdapterMethod, AdapterResult } from "../model/adapter.ts";
import { AdapterError, MissingAdapterMethods } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { toError } from "../model/to-error.ts";
import { withOwnId } from "./own-id.ts";
import { parseRecords } from "./parse-records.ts";
import { withTimeout } from "./with-timeout.ts";

type Method<M extends AdapterMethod> = NonNullable<Adapter[M]>;

/** How long a database call may take. */
const ADAPTER_TIMEOUT_MS = 10_000;

/** Whether the configured adapter has all of these methods. */
export function adapterHas(config: ResolvedConfig, ...methods: readonly AdapterMethod[]): boolean {
  return methods.every((method) => typeof config.adapter?.[method] === "function");
}

/**
 * Calls a method of the database adapter. Any rejection becomes an AdapterError that names the method; a call that does not
 * settle fails after ten seconds. `undefined` becomes null. Ids are passed as the adapter returned them.
 *
 * @throws AdapterError; MissingAdapterMethods for a method whose absence startup should have detected.
 */
export async function callAdapter<M extends AdapterMethod>(
  config: ResolvedConfig,
  name: M,
  ...args: Parameters<Method<M>>
): Promise<AdapterResult<M>> {
  const { adapter } = config;
  const method = adapter?.[name];
  if (adapter === undefined || method === undefined)
    throw new MissingAdapterMethods(`The adapter lacks the method \`${name}\`.`);
  try {
    const given = withOwnId(adapter, name, args);
    const call = Reflect.apply(method, adapter, given instanceof Promise ? await given : given);
    return readResult<M>(name, await withTimeout(ADAPTER_TIMEOUT_MS, call));
  } catch (error) {
    throw new AdapterError(`The adapter method \`${name}\` failed.`, { cause: { err: toError(error), method: name } });
  }
}

function readResult<M extends AdapterMethod>(name: M, result: unknown): AdapterResult<M> {
  requireExactIds(result);
  // The members are as declared by the adapter's type; ids are checked and times parsed.
  return (parseRecords(name, result) ?? null) as AdapterResult<M>;
}

/** A driver that reads 64-bit keys as doubles gives several records one id; then no result can be trusted. */
function requireExactIds(result: unknown): void {
  if (typeof result !== "object" || result === null) return;
  const { id, userId, providerAccountId, session, user }: Record<string, unknown> = Object(result);
  if (isInexact(id) || isInexact(userId) || isInexact(providerAccountId)) {
    throw new TypeError(
      "it returned a numeric id that is not a safe integer; configure the driver to return such ids as text",
    );
  }
  if (Array.isArray(result)) for (const member of result) requireExactIds(member);
  else {
    requireExactIds(session);
    requireExactIds(user);
  }
}

function isInexact(id: unknown): boolean {
  return typeof id === "number" && !Number.isSafeInteger(id);
}
