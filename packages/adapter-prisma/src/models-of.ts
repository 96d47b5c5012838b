import type {
  AdapterAuthenticator,
  AdapterCredential,
  AdapterSession,
  AdapterUser,
  SessionInfo,
  VerificationToken,
} from "@cardea/core/adapters";
import type { PrismaClientLike } from "./prisma-client.ts";
import { retryPassing } from "./retry-passing.ts";

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

/** A row of the session records. Structured members are JSON. */
export type SessionInfoRow = Omit<SessionInfo, "factors" | "idp"> & {
  readonly factors: string;
  readonly idp: string | null;
};

/** A row of the credentials: `state` is JSON. */
export type CredentialRow = Omit<AdapterCredential, "state"> & { readonly state: string | null };

/** A row of the shared state. */
export interface StateRow {
  readonly key: string;
  readonly value: string | null;
  readonly expires: Date | null;
  readonly version: bigint;
}

/** A row of a log. */
export interface StateLogRow {
  readonly name: string;
  readonly seq: bigint;
  readonly entry: string;
  readonly expires: Date;
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
  findMany(args: { where: object; orderBy?: object }): PromiseLike<Row[]>;
  update(args: { where: object; data: object }): PromiseLike<Row>;
  updateMany(args: { where: object; data: object }): PromiseLike<{ readonly count: number }>;
  delete(args: { where: object }): PromiseLike<Row>;
  deleteMany(args: { where: object }): PromiseLike<{ readonly count: number }>;
}

/** The models of a client; one that is missing from the application's schema, or that has other columns, is undefined. */
export interface Models {
  readonly user: Model<AdapterUser>;
  readonly account: Model<AccountRow> | undefined;
  readonly session: Model<AdapterSession> | undefined;
  readonly verificationToken: Model<VerificationToken> | undefined;
  readonly authenticator: Model<AuthenticatorRow> | undefined;
  readonly sessionInfo: Model<SessionInfoRow> | undefined;
  readonly credential: Model<CredentialRow> | undefined;
  readonly state: Model<StateRow> | undefined;
  readonly stateLog: Model<StateLogRow> | undefined;
}

/**
 * The columns that identify the models, because an application may have other models with these names, such as a
 * `VerificationToken` for the e-mails that it sends itself.
 */
const columns = {
  account: ["userId", "provider", "providerAccountId"],
  session: ["sessionToken", "userId", "expires"],
  verificationToken: ["identifier", "token", "expires"],
  authenticator: ["credentialID", "userId", "providerAccountId", "credentialPublicKey", "counter"],
  sessionInfo: ["id", "tokenHash", "userId", "factors", "epoch", "endedAt"],
  credential: ["id", "userId", "type", "secret", "state", "version"],
  state: ["key", "value", "expires", "version"],
  stateLog: ["name", "seq", "entry", "expires"],
} as const;

const OPERATIONS = ["create", "findUnique", "findMany", "update", "updateMany", "delete", "deleteMany"] as const;

/** Whether a client is that of a transaction: it cannot connect. From Prisma 7 on, it can begin another one within. */
export function isOfTransaction(client: PrismaClientLike): boolean {
  return typeof Reflect.get(client, "$connect") !== "function";
}

/** The models of a client, checked by their columns. In a transaction, only the whole of it can be retried. */
export function modelsOf(client: PrismaClientLike): Models {
  const found = Object.entries(columns).filter(([name, needed]) => {
    const fields: unknown = Reflect.get(Object(Reflect.get(client, name)), "fields");
    return typeof fields === "object" && fields !== null && needed.every((column) => column in fields);
  });
  const names = ["user", ...found.map(([name]) => name)];
  const modelOf = (name: string) => (isOfTransaction(client) ? asIs : retrying)(Reflect.get(client, name));
  return Object.fromEntries(names.map((name) => [name, modelOf(name)])) as unknown as Models;
}

/** A model whose operations are retried. A cast: each is passed on as it is. */
function retrying(model: Model<object>): Model<object> {
  const operations = OPERATIONS.map((name) => {
    const operation = (args: unknown) => retryPassing<unknown>(() => Reflect.apply(model[name], model, [args]));
    return [name, operation] as const;
  });
  return { fields: model.fields, ...Object.fromEntries(operations) } as Model<object>;
}

const asIs = (model: Model<object>): Model<object> => model;
