import type { Adapter } from "@cardea/core/adapters";
import { accountMethods } from "./account-methods.ts";
import { authenticatorMethods } from "./authenticator-methods.ts";
import { parseModels } from "./parse-models.ts";
import type { PrismaClientLike } from "./prisma-client.ts";
import { sessionMethods } from "./session-methods.ts";
import { signUpMethods } from "./sign-up-methods.ts";
import { userMethods } from "./user-methods.ts";
import { verificationTokenMethods } from "./verification-token-methods.ts";

/**
 * Keeps users, accounts, sessions, e-mail sign-ins and passkeys in the database of a Prisma client, in the tables
 * that the models in `prisma/` of this package describe: the tables of `@auth/prisma-adapter`.
 *
 * The methods of a model that the client lacks are absent; what a configuration needs of them is named at start-up. Each
 * method rejects with the error of Prisma when the database fails, when a unique key is taken (`P2002`), and when there is
 * no user or authenticator to update (`P2025`).
 *
 * @param client the application's generated client. It is not connected before it is needed, and never disconnected.
 */
export function PrismaAdapter(client: PrismaClientLike): Adapter {
  const { user, account, session, verificationToken, authenticator } = parseModels(client);
  return {
    ...userMethods(user, account),
    ...signUpMethods(client),
    ...accountMethods(account),
    ...(session && sessionMethods(session)),
    ...(verificationToken && verificationTokenMethods(verificationToken)),
    ...(authenticator && authenticatorMethods(authenticator)),
  };
}
