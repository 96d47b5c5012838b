import type { Account } from "@cardea/express";
import type { Adapter } from "./database.ts";
import { DEMO_USER } from "./passwords.ts";

/** A user as the database has them. */
type StoredUser = NonNullable<Awaited<ReturnType<NonNullable<Adapter["getUser"]>>>>;

/** A passkey as the database has it. */
export type StoredPasskey = Awaited<ReturnType<NonNullable<Adapter["listAuthenticatorsByUserId"]>>>[number];

/** A user of the database, and what they can sign in with. */
export interface Member {
  readonly user: StoredUser;
  readonly accounts: readonly Pick<Account, "provider" | "providerAccountId">[];
  readonly passkeys: readonly StoredPasskey[];
}

/** The member of that id, or null. */
export async function findMember(adapter: Adapter, id: string): Promise<Member | null> {
  const user = (await adapter.getUser?.(id)) ?? null;
  if (user === null) return null;
  const accounts = await adapter.listAccountsByUserId?.(id);
  const passkeys = await adapter.listAuthenticatorsByUserId?.(id);
  return { user, accounts: accounts ?? [], passkeys: passkeys ?? [] };
}

/** The user with that e-mail address, or null. */
export async function findByEmail(adapter: Adapter, email: string): Promise<StoredUser | null> {
  return (await adapter.getUserByEmail?.(email)) ?? null;
}

/** Gives a member another name, of a sensible length; one that is empty changes nothing. */
export async function renameMember(adapter: Adapter, id: string, name: unknown): Promise<void> {
  if (typeof name !== "string" || name.trim() === "") return;
  await adapter.updateUser?.({ id, name: name.trim().slice(0, 60) });
}

/** Makes the user of the person with a password, who did not sign up by any of the ways there are. */
export async function seedMembers(adapter: Adapter): Promise<void> {
  const { name, email } = DEMO_USER;
  if ((await findByEmail(adapter, email)) !== null) return;
  try {
    await adapter.createUser?.({ id: "", name, email, emailVerified: new Date(), image: null });
  } catch (error) {
    // Another process on the same database may have been faster.
    if ((await findByEmail(adapter, email)) === null) throw error;
  }
}
