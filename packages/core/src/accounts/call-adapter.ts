import { withTimeout } from "../application/with-timeout.ts";
import type { Adapter, AdapterMethod, AdapterResult, AdapterUser } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { AdapterError, MissingAdapterMethods } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { isAddressProven } from "../session/unproven-address.ts";
import { parseRecords } from "./parse-records.ts";

/** An id in one of the types that databases use, from its text. */
type IdForm = (id: string) => string | number | bigint;

/** Text first: databases that compare text columns with numbers read the whole table. */
const FORMS: readonly IdForm[] = [(id) => id, Number, BigInt];

/** The type of the adapter's user ids. Absent until a user whose id consists of digits has been found. */
const known = new WeakMap<Adapter, IdForm>();

/**
 * The arguments of an adapter method, with the user id in the type in which the adapter returns it. Sessions, extensions and
 * server code have ids as text, and some databases reject text for a numeric column.
 *
 * 1. Text that a number does not give back, such as `007` or an id beyond 2^53, is not that number.
 * 2. The first user that is found with an id of digits shows the type, once per adapter: `getUser` is called with the text, then
 *    with the numbers. The user found must have this id.
 * 3. If there is no such user, the first type counts that the database does not reject; without one, the text.
 *
 * @param args The first one is an id, or a record with `userId`; for `updateUser` with `id`.
 * @returns a promise only if the type is not known yet.
 */
export function withOwnId<A extends readonly unknown[]>(adapter: Adapter, name: string, args: A): A | Promise<A> {
  const [first, ...rest] = args;
  const isText = typeof first === "string";
  const member = name === "updateUser" ? "id" : "userId";
  const id: unknown = isText ? first : Reflect.get(Object(first), member);
  if (typeof id !== "string" || !/^\d+$/.test(id)) return args;
  if (isText && !/^(?:get|delete)User$|ByUserId$/.test(name)) return args;
  // A cast: the id has another type than declared, as in what the adapter returns.
  const put = (own: unknown) => [isText ? own : { ...Object(first), [member]: own }, ...rest] as unknown as A;
  const form = known.get(adapter);
  return form === undefined ? probe(adapter, id).then(put) : put(inForm(form, id));
}

const inForm = (form: IdForm, id: string) => (String(form(id)) === id ? form(id) : id);

async function probe(adapter: Adapter, id: string): Promise<unknown> {
  let accepted: unknown;
  for (const form of FORMS.filter((one) => String(one(id)) === id)) {
    try {
      const user: unknown = await Reflect.apply(adapter.getUser ?? (() => null), adapter, [form(id)]);
      const { id: own }: { readonly id?: unknown } = Object(user);
      if (String(own) === id) {
        const type = FORMS.find((one) => typeof one("0") === typeof own) ?? form;
        known.set(adapter, type);
        return inForm(type, id);
      }
      accepted ??= form(id);
    } catch {
      // The database rejects ids of this type, or failed: then the call itself fails as well.
    }
  }
  return accepted ?? id;
}

type Method<M extends AdapterMethod> = NonNullable<Adapter[M]>;

/** How long a database call may take. */
const ADAPTER_TIMEOUT_MS = 10_000;

/** The adapter of a configuration, and the store with which it is used. */
export type Database = Pick<ResolvedConfig, "adapter" | "store">;

/** Calls a method in its own way. */
type Rule<M extends AdapterMethod> = (
  database: Database,
  args: Parameters<Method<M>>,
  call: () => Promise<AdapterResult<M>>,
) => Promise<AdapterResult<M>>;

/**
 * Some adapters reject if there is no record to delete, as `@auth/prisma-adapter` does. A rejection stands only if the record is still there,
 * or cannot be looked up.
 */
const endSession: Rule<"deleteSession"> = (database, [sessionToken], call) =>
  call().catch(async (error: unknown) => {
    const found = await callAdapter(database, "getSessionAndUser", sessionToken).catch(() => undefined);
    if (found === null) return null;
    throw error;
  });

/**
 * Some adapters ignore null as the time of a proof, as `@auth/supabase-adapter` and `@auth/surrealdb-adapter` do. The user would still count
 * as having verified the address. A user without this member is looked up, because some adapters return no nulls, or nothing.
 */
const removeProof: Rule<"updateUser"> = async (database, [{ id, emailVerified }], call) => {
  // Null, whatever the type says, if the adapter returns nothing.
  const updated: AdapterUser | null = await call();
  if (emailVerified !== null) return updated;
  const isShown = updated?.emailVerified !== undefined || database.adapter?.getUser === undefined;
  const row = isShown ? updated : await callAdapter(database, "getUser", id);
  if (row !== null && isAddressProven(row)) throw new TypeError("it must remove the time for `emailVerified: null`");
  return updated;
};

/** Methods that adapters carry out differently, and how their calls are made the same for every caller. */
const RULES: { readonly [M in AdapterMethod]?: Rule<M> } = {
  deleteSession: endSession,
  updateUser: removeProof,
};

/**
 * Calls a method of the database adapter. Any rejection becomes an AdapterError that names the method; a call that does not
 * settle fails after ten seconds. `undefined` becomes null. Ids are passed as the adapter returned them. Ending a session that
 * has ended is not an error; a proof of an address that was not removed is one.
 *
 * @throws AdapterError; MissingAdapterMethods for a method whose absence startup should have detected.
 */
export async function callAdapter<M extends AdapterMethod>(
  database: Database,
  name: M,
  ...args: Parameters<Method<M>>
): Promise<AdapterResult<M>> {
  const { adapter } = database;
  const method = adapter?.[name];
  if (adapter === undefined || method === undefined)
    throw new MissingAdapterMethods(`The adapter lacks the method \`${name}\`.`);
  try {
    const call = async () => {
      const result: unknown = await Reflect.apply(method, adapter, await withOwnId(adapter, name, args));
      // A cast: the members are as declared by the adapter's type; ids are checked and times parsed.
      return (parseRecords(name, result) ?? null) as AdapterResult<M>;
    };
    const rule: Rule<M> | undefined = RULES[name];
    return await withTimeout(ADAPTER_TIMEOUT_MS, rule === undefined ? call() : rule(database, args, call));
  } catch (error) {
    throw new AdapterError(`The adapter method \`${name}\` failed.`, { cause: { err: toError(error), method: name } });
  }
}

/** Calls a method whose failure is only logged. */
export async function tryAdapter<M extends AdapterMethod>(
  { config, logger }: Pick<FlowContext, "config" | "logger">,
  name: M,
  ...args: Parameters<Method<M>>
): Promise<void> {
  await callAdapter(config, name, ...args).catch((error: unknown) => logger.error(toError(error)));
}
