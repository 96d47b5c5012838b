/**
 * A model of a generated client: its columns, and the methods that the adapter calls. Arguments of type `never` accept the
 * signatures of every generated client.
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
 * The part of a client that `PrismaAdapter()` needs. Accepts every client generated from a schema with users, in Prisma 6
 * and 7, from either generator, extended or not, and the client of a transaction. Other models are identified by their
 * columns at run time, because an application may have unrelated models with these names: the adapter ignores those.
 */
export interface PrismaClientLike {
  /** The users. */
  readonly user: PrismaModel<{ readonly id: object }>;
  /** Required for providers other than credentials. */
  readonly account?: object | undefined;
  /** Required for database sessions. */
  readonly session?: object | undefined;
  /** Required for e-mail sign-in. */
  readonly verificationToken?: object | undefined;
  /** Required for passkeys. */
  readonly authenticator?: object | undefined;
  /** For session records. */
  readonly sessionInfo?: object | undefined;
  /** For passwords and second factors. */
  readonly credential?: object | undefined;
  /** Together with `stateLog`: for the adapter's own store. */
  readonly state?: object | undefined;
  /** The log of the store. */
  readonly stateLog?: object | undefined;
}
