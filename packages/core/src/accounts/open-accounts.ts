import type { Accounts } from "../session/accounts.ts";
import type { Database } from "./call-adapter.ts";
import { decideUser, findUser } from "./decide-user.ts";
import { claimAddress, findAccountOwner, findUserByAddress } from "./find-user.ts";
import { joinPendingAddress } from "./join-address.ts";
import { cancelPendingAddresses, findStartedFor } from "./pending-address.ts";

/** The users and accounts of a database. */
export function openAccounts(config: Database): Omit<Accounts, "sessions" | "records" | "actions"> {
  return {
    find: {
      byAccount: (account) => findAccountOwner({ config }, { account }),
      byAddress: (address) => findUserByAddress(config, address),
      byIdentity: (identity) => findUser({ config }, identity),
      claim: (...given) => claimAddress(config, ...given),
    },
    decide: decideUser,
    addresses: {
      startedFor: findStartedFor,
      join: joinPendingAddress,
      cancel: cancelPendingAddresses,
    },
  };
}
