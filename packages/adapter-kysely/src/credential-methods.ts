import type { Adapter, AdapterCredential } from "@cardea/core/adapters";
import { requireText } from "./table.ts";
import type { Tables } from "./tables.ts";

/** Passwords and second factors. */
export function credentialMethods({ credentials }: Tables) {
  return {
    async createCredential(given) {
      // A user has one password: its id is the user's id, so that the table rejects a second one.
      const isPassword = given.type === "password";
      const id = isPassword ? `password:${requireText(given.userId, "userId")}` : crypto.randomUUID();
      const { label = null, usedAt = null, state = null } = given;
      const credential: AdapterCredential = { ...given, label, usedAt, state, id, version: 0 };
      await credentials.insert(credential);
      return credential;
    },
    listCredentialsByUserId: (userId) => credentials.list({ userId }),
    async updateCredential({ id, version, ...changes }) {
      if (!Number.isSafeInteger(version)) throw new TypeError(`version must be an integer, not ${typeof version}.`);
      // Read first, so that the caller does not receive a later change.
      const before = await credentials.find({ id });
      if (before?.version !== version) return null;
      const next = { ...withoutUndefined(changes), version: version + 1 };
      const changed = await credentials.update({ id }, next, (row) => row("version", "=", version));
      return changed === 1 ? { ...before, ...next } : null;
    },
    async deleteCredential(id) {
      await credentials.remove({ id });
    },
  } satisfies Adapter;
}

/** The members that have a value. */
function withoutUndefined<T extends object>(changes: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  const present = Object.entries(changes).filter(([, value]) => value !== undefined);
  return Object.fromEntries(present) as { [K in keyof T]: Exclude<T[K], undefined> };
}
