import type { ActionContext } from "../model/context.ts";
import { loadOnce, onFirstCall } from "../model/load-once.ts";
import type { Accounts } from "../session/accounts.ts";
import type { Database } from "./call-adapter.ts";
import { createReadAccounts } from "./create-read-accounts.ts";

const loadConfirm = loadOnce(() => import("./confirm-address.ts"));
const show = async (context: ActionContext) => (await loadConfirm()).confirmAddressPage(context);

/** The users, accounts and sessions of a database. Their code is loaded with the first call. */
export function createAccounts(database: Database): Accounts {
  const open = loadOnce(async () => (await import("./open-accounts.ts")).openAccounts(database));
  return {
    ...createReadAccounts(database),
    find: onFirstCall(async () => (await open()).find),
    decide: async (...given) => (await open()).decide(...given),
    addresses: onFirstCall(async () => (await open()).addresses),
    actions: {
      "GET confirm-address": { run: show },
      "POST confirm-address": { run: async (context) => (await loadConfirm()).confirmAddress(context), stale: show },
    },
  };
}
