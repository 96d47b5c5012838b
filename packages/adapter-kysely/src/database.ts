import type { AdapterAccount, AdapterSession, AdapterUser, VerificationToken } from "@cardea/core/adapters";
import { Kysely } from "kysely";

/** The four tables of Auth.js, as types of rows. */
export interface Database {
  /** Users. */
  User: AdapterUser;
  /** Their accounts at providers. */
  Account: AdapterAccount;
  /** Their sessions. */
  Session: AdapterSession;
  /** Pending e-mail sign-ins. */
  VerificationToken: VerificationToken;
}

/** The columns that a table needs, whatever their types. */
type Columns<Required extends string, Optional extends string = never> = { [Column in Required]: unknown } & {
  [Column in Optional]?: unknown;
};

/**
 * The tables and columns that the interface of an application's database needs, whatever the types of the columns: `Generated<…>` and
 * the types of kysely-codegen and prisma-kysely fit.
 */
export interface Codegen {
  /** Users. */
  User: Columns<"id" | "email" | "emailVerified", "name" | "image">;
  /** Their accounts at providers. */
  Account: Columns<"userId" | "type" | "provider" | "providerAccountId">;
  /** Their sessions. */
  Session: Columns<"sessionToken" | "userId" | "expires">;
  /** Pending e-mail sign-ins. */
  VerificationToken: Columns<"identifier" | "token" | "expires">;
}

/** A Kysely instance; the compiler checks that `DB` has the tables and columns that {@link KyselyAdapter} needs. */
export class KyselyAuth<DB extends T, T = Codegen> extends Kysely<DB> {}
