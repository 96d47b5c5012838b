import type { Tools } from "@cardea/extend";
import { accountNamed } from "./account-of.ts";
import { forgetDevices } from "./devices.ts";

/** Forgets the known devices of an account by its name, or of a user by id. */
export async function forgetDevicesOf(t: Tools, account: string): Promise<void> {
  const { exact } = accountNamed(account);
  for (const name of new Set([account, exact])) await forgetDevices(t, "account", name);
  await forgetDevices(t, "user", account);
}
