import { PrismaAdapter } from "@cardea/adapter-prisma";
import type { User } from "@cardea/next";
import { PrismaLibSql } from "@prisma/adapter-libsql";
import { PrismaClient } from "@/generated/client/client";

const url = process.env.DATABASE_URL ?? "file:./data/blue-room.db";

const prisma = new PrismaClient({ adapter: new PrismaLibSql({ url, timeout: 5000 }) });

export const adapter = PrismaAdapter(prisma);

/** The user with that e-mail address, or null. */
export function findByEmail(email: string): Promise<User | null> {
  return prisma.user.findUnique({ where: { email } });
}

/** What tells a user's passkeys from each other; they have no names of their own. */
export async function listPasskeys(userId: string) {
  const passkeys = (await adapter.listAuthenticatorsByUserId?.(userId)) ?? [];
  return passkeys.map(({ credentialID, credentialBackedUp }) => ({
    id: credentialID,
    isBackedUp: credentialBackedUp,
  }));
}

/** Gives a user another name. */
export async function renameUser(id: string, name: string): Promise<void> {
  await prisma.user.updateMany({ where: { id }, data: { name } });
}
