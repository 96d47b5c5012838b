/** Users, accounts, sessions, e-mail sign-ins and passkeys in a database, through Prisma. */

export { PrismaAdapter } from "./prisma-adapter.ts";
export type { PrismaClientLike, PrismaModel } from "./prisma-client.ts";
