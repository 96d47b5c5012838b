import { onFirstCall } from "../model/load-once.ts";
import type { Accounts } from "../session/accounts.ts";
import { deferStrategy } from "../session/select-strategy.ts";
import type { Database } from "./call-adapter.ts";

/** One for all applications of the process, because a configuration may be created for each request. */
const sessions = deferStrategy(async () => (await import("./database-strategy.ts")).databaseStrategy);

/**
 * What reading a session needs of a database. Its code is loaded with the first call. What a sign-in needs is in another file: some
 * bundlers take whatever a file may load.
 */
export function createReadAccounts(database: Database): Pick<Accounts, "sessions" | "records"> {
  return { sessions, records: onFirstCall(async () => (await import("./consume-token.ts")).openRecords(database)) };
}
