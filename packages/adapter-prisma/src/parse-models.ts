import type { AdapterAuthenticator, AdapterSession, AdapterUser, VerificationToken } from "@cardea/core/adapters";
import type { PrismaClientLike } from "./prisma-client.ts";

/** A row of the accounts: null for what is not there, `bigint` where the application made a column one. */
export interface AccountRow {
  readonly provider: string;
  readonly providerAccountId: string;
  readonly [column: string]: unknown;
}

/** A row of the authenticators; the application may have made `counter` a `BigInt`. */
export interface AuthenticatorRow extends Omit<AdapterAuthenticator, "counter"> {
  readonly counter: number | bigint;
}

/** A row that was asked for with its user. */
type WithUser<Row> = Row & { readonly user: AdapterUser };

/** Columns to read, and the user. */
type Selection = { readonly user: true; readonly [column: string]: true };

/** A model as the adapter calls it. `data` and `where` are checked by the client, not by the compiler. */
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

/** The models of a client; a model that the application's schema lacks is undefined. */
export interface Models {
  readonly user: Model<AdapterUser>;
  readonly account: Model<AccountRow>;
  readonly session: Model<AdapterSession> | undefined;
  readonly verificationToken: Model<VerificationToken> | undefined;
  readonly authenticator: Model<AuthenticatorRow> | undefined;
}

/** The models of a client, as they are called. The columns were checked by {@link PrismaClientLike}. */
export function parseModels(client: PrismaClientLike): Models {
  const { user, account, session, verificationToken, authenticator } = client;
  return { user, account, session, verificationToken, authenticator } as Models;
}
