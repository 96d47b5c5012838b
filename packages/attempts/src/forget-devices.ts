import type { SecurityFact, Tools } from "@cardea/core/extend";
import { accountNamed } from "./account-of.ts";
import { forgetDevices } from "./devices.ts";

/** Forgets the known devices of an account by its name, or of a user by id. */
export async function forgetDevicesOf(t: Tools, account: string): Promise<void> {
  const { exact } = accountNamed(account);
  for (const name of new Set([account, exact])) await forgetDevices(t, "account", name);
  await forgetDevices(t, "user", account);
}

/**
 * Forgets the known devices of a user whose password or second factors were reset, or whose sessions were all ended: one of the
 * devices may be a thief's. The account's name is the user's e-mail address; other names are unknown here.
 */
export async function forgetDevicesAfter(fact: SecurityFact, t: Tools): Promise<void> {
  const userId = userOfReset(fact);
  if (userId === null) return;
  await forgetDevices(t, "user", userId);
  const user = t.adapterHas("getUser") ? await t.callAdapter("getUser", userId) : null;
  if (user?.email) await forgetDevicesOf(t, user.email);
}

function userOfReset(fact: SecurityFact): string | null {
  switch (fact.kind) {
    case "session.ended":
      return fact.sid === undefined ? fact.userId : null;
    case "password.changed":
      return fact.how === "reset" ? fact.userId : null;
    case "factor.removed":
      return fact.factor === "all" ? fact.userId : null;
    default:
      return null;
  }
}
