import { loadOnce, onFirstCall } from "../model/when-there.ts";
import type { Accounts } from "../session/accounts.ts";
import { deferStrategy } from "../session/select-strategy.ts";
import type { Database } from "./call-adapter.ts";

/** One for all applications of the process, because a configuration may be created for each request. */
const sessions = deferStrategy(async () => (await import("./database-strategy.ts")).databaseStrategy);

/** The users, accounts and sessions of a database, whose code is loaded with the first call. */
export function createAccounts(database: Database): Accounts {
  const open = loadOnce(async () => (await import("./open-accounts.ts")).openAccounts(database));
  return {
    find: onFirstCall(async () => (await open()).find),
    decide: async (...given) => (await open()).decide(...given),
    sessions,
    records: onFirstCall(async () => (await open()).records),
    addresses: onFirstCall(async () => (await open()).addresses),
  };
}
