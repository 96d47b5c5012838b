import { adapter, block } from "./auth.ts";

/** Ends every session of a user, then deletes the user and everything that belongs to them. */
export async function deleteUser(userId: string): Promise<void> {
  if (adapter.deleteUser === undefined) throw new TypeError("This adapter cannot delete users.");
  // First: a sign-in that has just found the user must not get a session afterwards.
  await block(userId, { by: "owner", reason: "account deleted" });
  await adapter.deleteUser(userId);
}
