import { type Adapter, tableStore } from "@cardea/core/adapters";
import { accountMethods } from "./account-methods.ts";
import { authenticatorMethods } from "./authenticator-methods.ts";
import { credentialMethods } from "./credential-methods.ts";
import { modelsOf } from "./models-of.ts";
import type { PrismaClientLike } from "./prisma-client.ts";
import { canLockUsers, removalMethods } from "./removal-methods.ts";
import { sessionInfoMethods } from "./session-info-methods.ts";
import { sessionMethods } from "./session-methods.ts";
import { signUpMethods } from "./sign-up-methods.ts";
import { stateLogTable } from "./store/state-log-table.ts";
import { stateTable } from "./store/state-table.ts";
import { userMethods } from "./user-methods.ts";
import { verificationTokenMethods } from "./verification-token-methods.ts";

/**
 * Stores users, accounts, sessions, e-mail sign-ins and passkeys in the database of a Prisma client, in the tables
 * described by the models in `prisma/` of this package: the tables of `@auth/prisma-adapter`.
 *
 * The adapter omits the methods of models that are missing or have other columns; startup fails if the configuration needs them. Each method rejects
 * with Prisma's error if the database fails, if a unique key already exists (`P2002`), or if the user or authenticator
 * to update does not exist (`P2025`).
 *
 * @param client The application's generated client. It is connected on demand, and never disconnected.
 * @throws TypeError without a client.
 */
export function PrismaAdapter(client: PrismaClientLike): Adapter {
  if (typeof client !== "object" || client === null)
    throw new TypeError(`PrismaAdapter() requires the application's PrismaClient. It received ${typeof client}.`);
  const models = modelsOf(client);
  const { user, account, session, verificationToken, authenticator, sessionInfo, credential, state, stateLog } = models;
  return {
    ...userMethods(client, user),
    ...(account && { ...accountMethods(account), ...signUpMethods(client) }),
    ...(account && canLockUsers(client) && removalMethods(client)),
    ...(session && sessionMethods(session)),
    ...(verificationToken && verificationTokenMethods(verificationToken)),
    ...(authenticator && authenticatorMethods(authenticator)),
    ...(sessionInfo && sessionInfoMethods(sessionInfo)),
    ...(credential && credentialMethods(credential)),
    ...(state &&
      stateLog && {
        store: tableStore(stateTable(state), stateLogTable(client, state, stateLog)),
      }),
  };
}
