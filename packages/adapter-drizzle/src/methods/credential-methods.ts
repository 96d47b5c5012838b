import type { Adapter } from "@cardea/core/adapters";
import { eq } from "drizzle-orm";
import type { AnyTable, OpenDatabase } from "../database.ts";
import { rowsOf } from "../rows.ts";
import { columnOf, requireText, whereText } from "../where.ts";
import { toCredential } from "./to-records.ts";

/** Passwords and second factors. */
export function credentialMethods(database: OpenDatabase, table: AnyTable) {
  const credentials = rowsOf(database, table);
  const by = (key: Readonly<Record<string, string>>) => whereText(database.dialect, table, key);
  return {
    async createCredential({ state, ...credential }) {
      // A user has one password: its id is the user's id, so that the table rejects a second one.
      const isPassword = credential.type === "password";
      const id = isPassword ? `password:${requireText(credential.userId, "userId")}` : crypto.randomUUID();
      const row = { ...credential, id, state: JSON.stringify(state ?? null), version: 0 };
      return toCredential(await credentials.insert(row, by({ id })));
    },
    async listCredentialsByUserId(userId) {
      return (await credentials.list(by({ userId }))).map(toCredential);
    },
    async updateCredential({ id, version, state, ...changes }) {
      const isAsRead = eq(columnOf(table, "version"), requireVersion(version));
      const text = state === undefined ? undefined : JSON.stringify(state);
      const row = await credentials.update({ ...changes, state: text, version: version + 1 }, by({ id }), isAsRead);
      return row && toCredential(row);
    },
    async deleteCredential(id) {
      await credentials.remove(by({ id }));
    },
  } satisfies Adapter;
}

function requireVersion(version: number): number {
  if (Number.isSafeInteger(version)) return version;
  throw new TypeError(`version must be an integer, not ${typeof version}.`);
}
