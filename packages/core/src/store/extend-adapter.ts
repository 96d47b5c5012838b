import type { Adapter } from "../model/adapter.ts";
import type { Store } from "../model/store.ts";
import { credentialMethods } from "./credential-methods.ts";
import { sessionInfoMethods } from "./session-info-methods.ts";

/** Settings of {@link extend}. */
export interface ExtendOptions {
  /** The store for the data of the added methods. All processes of the application must share it. */
  readonly store: Store;
  /**
   * Whether the store is durable, such as a database, or a Redis that writes each change to disk. If true, passwords
   * and second factors are also stored in it. Otherwise they are not, because a lost second factor would no longer be
   * required.
   */
  readonly durable?: boolean;
}

/**
 * Adds missing optional methods to an adapter, such as an Auth.js adapter from npm, backed by a store. No table is
 * added, and existing methods are kept. When a user is deleted, their data in the store is also deleted.
 *
 * @param adapter Not modified.
 */
export function extend<A extends Adapter>(adapter: A, { store, durable = false }: ExtendOptions): A & Adapter {
  const infos = lacks(adapter, "createSessionInfo") ? sessionInfoMethods(store) : undefined;
  const credentials = durable && lacks(adapter, "createCredential") ? credentialMethods(store) : undefined;
  const { deleteUser } = adapter;
  const extended: Adapter = { store, ...infos, ...credentials };
  if (deleteUser !== undefined) {
    extended.deleteUser = async (userId) => {
      const deleted = await deleteUser.call(adapter, userId);
      await infos?.deleteSessionInfosByUserId(userId);
      for (const { id } of (await credentials?.listCredentialsByUserId(userId)) ?? []) {
        await credentials?.deleteCredential(id);
      }
      return deleted ?? undefined;
    };
  }
  const get = (name: PropertyKey): unknown => {
    const own: unknown = Reflect.get(extended, name);
    if (own !== undefined && (name === "deleteUser" || lacks(adapter, name))) return own;
    const theirs: unknown = Reflect.get(adapter, name);
    return typeof theirs === "function" ? theirs.bind(adapter) : theirs;
  };
  const keys = () => [...new Set([...Reflect.ownKeys(adapter), ...Reflect.ownKeys(extended)])];
  // Class methods are on the prototype, so they are looked up rather than copied. The target is empty, so that the added methods
  // are own members, which `{ ...adapter }` copies, whatever the adapter is.
  return new Proxy({} as A & Adapter, {
    get: (_, name) => get(name),
    has: (_, name) => name in adapter || name in extended,
    ownKeys: keys,
    getOwnPropertyDescriptor: (_, name) =>
      keys().includes(name)
        ? { value: get(name), writable: true, enumerable: isEnumerable(adapter, name), configurable: true }
        : undefined,
    set: (_, name, value) => Reflect.set(adapter, name, value),
    getPrototypeOf: () => Reflect.getPrototypeOf(adapter),
  });
}

function isEnumerable(adapter: Adapter, name: PropertyKey): boolean {
  return Reflect.getOwnPropertyDescriptor(adapter, name)?.enumerable !== false;
}

function lacks(adapter: Adapter, name: PropertyKey): boolean {
  return (Reflect.get(adapter, name) ?? undefined) === undefined;
}
