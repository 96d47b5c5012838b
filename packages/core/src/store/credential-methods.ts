import { randomUuid } from "../crypto/primitives.ts";
import type { Adapter } from "../model/adapter.ts";
import type { AdapterCredential } from "../model/credential.ts";
import type { Store } from "../model/store.ts";
import { changeList, keyOf, parseList, toDate } from "./stored-records.ts";

/** Credentials in a durable store: one list per user, and the user of each credential. */
export function credentialMethods(store: Store) {
  const listKey = (userId: string) => keyOf("credentials", userId);
  const ownerOf = async (id: string) => store.get(await keyOf("credential", id));

  return {
    async createCredential(credential) {
      const isPassword = credential.type === "password";
      const id = isPassword ? `password:${credential.userId}` : randomUuid();
      // Some databases return numeric ids, despite the type; bigints cannot be written as JSON.
      const userId = String(credential.userId);
      const made: AdapterCredential = { state: null, ...credential, userId, id, version: 0 };
      await store.set(await keyOf("credential", id), userId, { ttl: null });
      await changeList(store, await listKey(credential.userId), parseCredential, (all) => {
        if (all.some((one) => one.id === id)) throw new Error("The user already has a password.");
        return [...all, made];
      });
      return made;
    },
    async listCredentialsByUserId(userId) {
      return parseList(await store.get(await listKey(userId)), parseCredential);
    },
    async updateCredential({ id, version, ...changes }) {
      const owner = await ownerOf(id);
      if (owner === null) return null;
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
      let changed: AdapterCredential | null = null;
      await changeList(store, await listKey(owner), parseCredential, (all) => {
        changed = null;
        return all.map((one) => {
          if (one.id !== id || one.version !== version) return one;
          changed = { ...one, ...given, version: version + 1 };
          return changed;
        });
      });
      return changed;
    },
    async deleteCredential(id) {
      const owner = await ownerOf(id);
      if (owner === null) return;
      await changeList(store, await listKey(owner), parseCredential, (all) => all.filter((one) => one.id !== id));
      await store.swap(await keyOf("credential", id), owner, null, { ttl: null });
    },
  } satisfies Adapter;
}

/** Written by this module; dates are stored as strings. */
function parseCredential(value: unknown): AdapterCredential {
  const credential = value as AdapterCredential;
  return { ...credential, createdAt: new Date(credential.createdAt), usedAt: toDate(credential.usedAt) };
}
