import type { Accounts } from "../session/accounts.ts";
import { callAdapter, type Database } from "./call-adapter.ts";
import { consumeToken } from "./consume-token.ts";

/** The records of a database. */
export function openRecords(database: Database): Accounts["records"] {
  return {
    call: (name, ...args) => callAdapter(database, name, ...args),
    consume: (key) => consumeToken(database, key),
  };
}
