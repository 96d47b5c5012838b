import type { Accounts } from "../session/accounts.ts";
import { callAdapter, type Database } from "./call-adapter.ts";
import { consumeToken } from "./consume-token.ts";
import { decideUser, findUser } from "./decide-user.ts";
import { claimAddress, findAccountOwner, findUserByAddress } from "./find-user.ts";
import { joinPendingAddress } from "./join-address.ts";
import { voidPendingAddress } from "./pending-address.ts";

/** The users and accounts of a database. */
export function openAccounts(config: Database): Omit<Accounts, "sessions"> {
  return {
    find: {
      byId: (id) => callAdapter(config, "getUser", id),
      byAccount: (account) => findAccountOwner({ config }, { account }),
      byAddress: (address) => findUserByAddress(config, address),
      byIdentity: (identity) => findUser({ config }, identity),
      claim: (...given) => claimAddress(config, ...given),
    },
    decide: decideUser,
    records: {
      call: (name, ...args) => callAdapter(config, name, ...args),
      consume: (key) => consumeToken(config, key),
    },
    addresses: { join: joinPendingAddress, cancel: voidPendingAddress },
  };
}
