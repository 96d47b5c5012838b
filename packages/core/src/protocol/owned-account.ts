import type { Account, User } from "../model/records.ts";

/**
 * An account as callbacks and events receive it: with the id of its user once they are stored, whatever the sign-in method.
 *
 * @param user from the database; null before there is one.
 */
export function ownedAccount(account: Account, user: Pick<User, "id"> | null): Account {
  return user?.id === undefined ? account : { ...account, userId: user.id };
}
