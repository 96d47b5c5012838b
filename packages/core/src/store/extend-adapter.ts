import type { Adapter } from "../model/adapter.ts";
import type { Store } from "../model/store.ts";
import { credentialMethods } from "./credential-methods.ts";
import { sessionInfoMethods } from "./session-info-methods.ts";

/** Settings of {@link extend}. */
export interface ExtendOptions {
  readonly store: Store;
  /**
   * True: the store forgets nothing, as a database, or a Redis that writes each change to its disk. Then passwords and second factors
   * are kept in it, too. Without it they are not: a factor that is lost would be a factor that is not asked for.
   */
  readonly durable?: boolean;
}

/**
 * Gives an adapter, such as one of Auth.js from npm, the optional methods that it lacks, kept in a store; no table is added. Methods
 * of its own stay. When a user is deleted, what the store has of the user is deleted as well.
 *
 * @param adapter is not changed.
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
  // Methods of a class are on its prototype, so that they are looked up and not copied.
  return new Proxy(adapter, {
    get: (target, name) => {
      const own: unknown = Reflect.get(extended, name);
      const isOurs = own !== undefined && (name === "deleteUser" || lacks(target, name));
      if (isOurs) return own;
      const theirs: unknown = Reflect.get(target, name);
      return typeof theirs === "function" ? theirs.bind(target) : theirs;
    },
    has: (target, name) => name in target || name in extended,
  });
}

function lacks(adapter: Adapter, name: PropertyKey): boolean {
  return (Reflect.get(adapter, name) ?? undefined) === undefined;
}
