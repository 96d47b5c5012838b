/** A column of a model, by the type that Prisma gives it. */
interface Column<Type extends string> {
  readonly typeName: Type;
}

/** Columns of one type. */
type Columns<Names extends string, Type extends string> = { readonly [Name in Names]: Column<Type> };

type UserColumns = Columns<"id" | "name" | "email" | "image", "String"> & Columns<"emailVerified", "DateTime">;
type AccountColumns = Columns<"userId" | "type" | "provider" | "providerAccountId", "String">;
type SessionColumns = Columns<"sessionToken" | "userId", "String"> & Columns<"expires", "DateTime">;
type VerificationTokenColumns = Columns<"identifier" | "token", "String"> & Columns<"expires", "DateTime">;
type AuthenticatorColumns = Columns<
  "credentialID" | "userId" | "providerAccountId" | "credentialPublicKey" | "credentialDeviceType" | "transports",
  "String"
> &
  Columns<"credentialBackedUp", "Boolean"> & { readonly counter: object };

/**
 * A model of a generated client: its columns, and the methods that the adapter calls. Arguments of `never` accept what
 * each generated client has made of them; the columns say that it is the right model.
 */
export interface PrismaModel<ModelColumns> {
  /** The client's references to the columns of the model. */
  readonly fields: ModelColumns;
  create(args: never): PromiseLike<unknown>;
  findUnique(args: never): PromiseLike<unknown>;
  findMany(args: never): PromiseLike<unknown>;
  update(args: never): PromiseLike<unknown>;
  delete(args: never): PromiseLike<unknown>;
  deleteMany(args: never): PromiseLike<unknown>;
}

/**
 * What `PrismaAdapter()` needs of a client. Every client generated from a schema with these models fits, in Prisma 6 and 7,
 * of either generator, extended or not, and the client of a transaction. Models may have more columns.
 */
export interface PrismaClientLike {
  readonly user: PrismaModel<UserColumns>;
  readonly account: PrismaModel<AccountColumns>;
  /** Needed for sessions in the database. */
  readonly session?: PrismaModel<SessionColumns>;
  /** Needed to sign in by e-mail. */
  readonly verificationToken?: PrismaModel<VerificationTokenColumns>;
  /** Needed for passkeys. */
  readonly authenticator?: PrismaModel<AuthenticatorColumns>;
}
