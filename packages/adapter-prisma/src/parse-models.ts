import type { AdapterAuthenticator, AdapterSession, AdapterUser, VerificationToken } from "@cardea/core/adapters";
import type { PrismaClientLike } from "./prisma-client.ts";

/** A row of the accounts: null for missing values, `bigint` if the application chose that type for a column. */
export interface AccountRow {
  readonly provider: string;
  readonly providerAccountId: string;
  readonly [column: string]: unknown;
}

/** A row of the authenticators; the application may have chosen `BigInt` for `counter`. */
export interface AuthenticatorRow extends Omit<AdapterAuthenticator, "counter"> {
  readonly counter: number | bigint;
}

/** A row that was queried with its user. */
type WithUser<Row> = Row & { readonly user: AdapterUser };

/** Columns to read, and the user. */
type Selection = { readonly user: true; readonly [column: string]: true };

/** A model as the adapter uses it. `data` and `where` are checked by the client, not by the compiler. */
export interface Model<Row> {
  readonly fields: object;
  create(args: { data: object }): PromiseLike<Row>;
  create(args: { data: object; include: { user: true } }): PromiseLike<WithUser<Row>>;
  findUnique(args: { where: object }): PromiseLike<Row | null>;
  findUnique(args: { where: object; select: Selection }): PromiseLike<WithUser<Row> | null>;
  findUnique(args: { where: object; include: { user: true } }): PromiseLike<WithUser<Row> | null>;
  findMany(args: { where: object }): PromiseLike<Row[]>;
  update(args: { where: object; data: object }): PromiseLike<Row>;
  delete(args: { where: object }): PromiseLike<Row>;
  deleteMany(args: { where: object }): PromiseLike<{ readonly count: number }>;
}

/** The models of a client; a model missing from the application's schema is undefined. */
export interface Models {
  readonly user: Model<AdapterUser>;
  readonly account: Model<AccountRow>;
  readonly session: Model<AdapterSession> | undefined;
  readonly verificationToken: Model<VerificationToken> | undefined;
  readonly authenticator: Model<AuthenticatorRow> | undefined;
}

/** The models of a client. {@link PrismaClientLike} has checked the columns. */
export function parseModels(client: PrismaClientLike): Models {
  const { user, account, session, verificationToken, authenticator } = client;
  return { user, account, session, verificationToken, authenticator } as Models;
}
