/** Database adapter: users, accounts, sessions, e-mail sign-ins and passkeys, through Prisma. */

export { PrismaAdapter } from "./prisma-adapter.ts";
export type { PrismaClientLike, PrismaModel } from "./prisma-client.ts";
