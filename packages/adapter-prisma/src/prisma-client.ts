/** A column of a model, with Prisma's type. */
interface Column<Type extends string> {
  /** The scalar type that Prisma gives the column, such as `String`. */
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
 * A model of a generated client: its columns, and the methods that the adapter calls. Arguments of type `never` accept the
 * signatures of every generated client; the columns ensure that it is the right model.
 */
export interface PrismaModel<ModelColumns> {
  /** The client's references to the columns of the model. */
  readonly fields: ModelColumns;
  /** Creates a row. */
  create(args: never): PromiseLike<unknown>;
  /** Finds a row by a unique key. */
  findUnique(args: never): PromiseLike<unknown>;
  /** Finds rows. */
  findMany(args: never): PromiseLike<unknown>;
  /** Changes a row. */
  update(args: never): PromiseLike<unknown>;
  /** Deletes a row. */
  delete(args: never): PromiseLike<unknown>;
  /** Deletes rows. */
  deleteMany(args: never): PromiseLike<unknown>;
}

/**
 * The part of a client that `PrismaAdapter()` needs. Accepts every client generated from a schema with these models, in
 * Prisma 6 and 7, from either generator, extended or not, and the client of a transaction. Models may have additional
 * columns.
 */
export interface PrismaClientLike {
  /** The users. */
  readonly user: PrismaModel<UserColumns>;
  /** The accounts. */
  readonly account: PrismaModel<AccountColumns>;
  /** Required for database sessions. */
  readonly session?: PrismaModel<SessionColumns>;
  /** Required for e-mail sign-in. */
  readonly verificationToken?: PrismaModel<VerificationTokenColumns>;
  /** Required for passkeys. */
  readonly authenticator?: PrismaModel<AuthenticatorColumns>;
  // Models of extensions, identified by their columns: unrelated models with these names are ignored.
  /** For session records. */
  readonly sessionInfo?: object;
  /** For passwords and second factors. */
  readonly credential?: object;
  /** Together with `stateLog`: for the adapter's own store. */
  readonly state?: object;
  /** The log of the store. */
  readonly stateLog?: object;
}
