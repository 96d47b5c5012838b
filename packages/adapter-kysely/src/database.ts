import type { AdapterAccount, AdapterSession, AdapterUser, VerificationToken } from "@cardea/core/adapters";
import { Kysely } from "kysely";

/** Row types of the four Auth.js tables. */
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

/** The required columns of a table, of any type. */
type Columns<Required extends string, Optional extends string = never> = { [Column in Required]: unknown } & {
  [Column in Optional]?: unknown;
};

/**
 * The tables and columns that an application's database type must have. Column types are arbitrary: `Generated<…>` and
 * the types of kysely-codegen and prisma-kysely are accepted.
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

/** A Kysely instance. The compiler checks that `DB` has the tables and columns that {@link KyselyAdapter} needs. */
export class KyselyAuth<DB extends T, T = Codegen> extends Kysely<DB> {}
