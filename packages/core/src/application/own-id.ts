import type { Adapter } from "../model/adapter.ts";
import { withTimeout } from "./with-timeout.ts";

/** An id in one of the types that databases use, from its text. */
type Form = (id: string) => string | number | bigint;

/** Text first: databases that compare text columns with numbers read the whole table. */
const FORMS: readonly Form[] = [(id) => id, Number, BigInt];

/** How long the first calls may take that show the type of an adapter's ids. */
const PROBE_TIMEOUT_MS = 10_000;

/** The type of the adapter's user ids. Absent until a user whose id consists of digits has been found. */
const known = new WeakMap<Adapter, Form>();

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
  return form === undefined ? withTimeout(PROBE_TIMEOUT_MS, probe(adapter, id).then(put)) : put(inForm(form, id));
}

const inForm = (form: Form, id: string) => (String(form(id)) === id ? form(id) : id);

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
