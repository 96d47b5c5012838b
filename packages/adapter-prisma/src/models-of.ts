import type {
  AdapterAuthenticator,
  AdapterCredential,
  AdapterSession,
  AdapterUser,
  SessionInfo,
  VerificationToken,
} from "@cardea/core/adapters";
import type { PrismaClientLike } from "./prisma-client.ts";
import { retryConflicts } from "./retry-conflicts.ts";
import { fieldOf, isUnique, keyNameOf, relationOf } from "./schema-facts.ts";

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

/** Columns to read, and the relation to the user. */
type Selection = { readonly [column: string]: true };

/** A model as the adapter uses it. `data` and `where` are checked by the client, not by the compiler. */
export interface Model<Row> {
  readonly fields: object;
  /** The name of the relation to the user. */
  readonly owner: string;
  /** The name of the key that consists of two columns. */
  readonly key: string;
  create(args: { data: object }): PromiseLike<Row>;
  create(args: { data: object; include: Selection }): PromiseLike<Row>;
  createMany(args: { data: readonly object[] }): PromiseLike<{ readonly count: number }>;
  findUnique(args: { where: object }): PromiseLike<Row | null>;
  findUnique(args: { where: object; select: Selection }): PromiseLike<Row | null>;
  findUnique(args: { where: object; include: Selection }): PromiseLike<Row | null>;
  findMany(args: { where: object; orderBy?: object; take?: number }): PromiseLike<Row[]>;
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

const OPERATIONS = [
  ...(["create", "createMany", "findUnique", "findMany"] as const),
  ...(["update", "updateMany", "delete", "deleteMany"] as const),
];

/** Whether a client is that of a transaction: it cannot connect. From Prisma 7 on, it can begin another one within. */
export function isOfTransaction(client: PrismaClientLike): boolean {
  return typeof Reflect.get(client, "$connect") !== "function";
}

/** The models of Auth.js: the column that makes it one of them, and the columns that the queries need, as a schema writes them. */
const NEEDED = {
  user: { mark: "email", columns: { emailVerified: "DateTime?" } },
  account: { mark: "providerAccountId", columns: { provider: "String", userId: "String" } },
  session: { mark: "sessionToken", columns: { userId: "String", expires: "DateTime" } },
  verificationToken: { mark: "identifier", columns: { token: "String", expires: "DateTime" } },
  authenticator: {
    mark: "credentialID",
    columns: {
      ...{ userId: "String", providerAccountId: "String", credentialPublicKey: "String", counter: "Int" },
      ...{ credentialDeviceType: "String", credentialBackedUp: "Boolean", transports: "String?" },
    },
  },
} as const;

const KEYS = {
  account: ["provider", "providerAccountId"],
  verificationToken: ["identifier", "token"],
} as const;

/** Columns by which Prisma finds one row. */
const UNIQUE: readonly string[] = ["email", "sessionToken", "credentialID"];

const RELATION = "user User @relation(fields: [userId], references: [id], onDelete: Cascade)";

/**
 * What the queries need and a schema lacks, in the words of a schema. A model without the column that marks it is another one of the
 * application's.
 */
function* findMissing(client: PrismaClientLike, models: Readonly<Record<string, Model<object> | undefined>>) {
  for (const [name, { mark, columns }] of Object.entries(NEEDED)) {
    const model = models[name];
    const modelName = model && fieldOf(model, mark)?.modelName;
    if (model === undefined || modelName === undefined) continue;
    for (const [column, type] of Object.entries(columns)) {
      const found = fieldOf(model, column)?.typeName;
      const isTime = type.startsWith("DateTime");
      if (found === undefined || (isTime && found !== "DateTime")) yield `model ${modelName}: ${column} ${type}`;
    }
    if (UNIQUE.includes(mark) && !isUnique(client, modelName, mark)) yield `model ${modelName}: ${mark} … @unique`;
    if (model.owner === "") yield `model ${modelName}: ${RELATION}`;
    if (model.key === "") yield `model ${modelName}: @@id([${Reflect.get(KEYS, name).join(", ")}])`;
  }
}

/**
 * The models of a client, checked by their columns. In a transaction, only the whole of it can be retried.
 *
 * @throws TypeError that names what the schema lacks and what to write.
 */
export function modelsOf(client: PrismaClientLike): Models {
  if (typeof Object(Object(client.user).fields) !== "object" || Object(client.user).fields === undefined)
    throw new TypeError(
      'PrismaAdapter(): the client has no model `User`. Another name of the table belongs into `@@map`: model User { … @@map("members") }.',
    );
  const users = fieldOf(client.user, "id")?.modelName;
  const read = (name: string) => modelOf(client, name, users);
  const all = Object.fromEntries(["user", ...Object.keys(columns)].map((name) => [name, read(name)]));
  const missing = [...findMissing(client, all)];
  if (missing.length > 0)
    throw new TypeError(
      `PrismaAdapter(): the schema lacks what the queries need. Add it to schema.prisma, migrate and generate the client again:\n${missing.map((one) => `  - ${one}`).join("\n")}`,
    );
  const found = Object.entries(columns).filter(([name, needed]) => {
    const model = all[name];
    return model !== undefined && needed.every((column) => column in model.fields);
  });
  const names = ["user", ...found.map(([name]) => name)];
  return Object.fromEntries(names.map((name) => [name, all[name]])) as unknown as Models;
}

/** A model, whose operations are retried outside of a transaction; undefined if the client has none of this name. A cast: each is passed on as it is. */
function modelOf(client: PrismaClientLike, name: string, users: string | undefined): Model<object> | undefined {
  const model: Model<object> = Reflect.get(client, name);
  if (typeof Object(model).fields !== "object" || model.fields === null) return undefined;
  const [modelName] = Object.values(model.fields).map((field: { readonly modelName?: string }) => field.modelName);
  const isOwned = "userId" in model.fields && ["account", "session", "authenticator"].includes(name);
  const columnsOfKey: readonly [string, string] | undefined = Reflect.get(KEYS, name);
  const run = isOfTransaction(client) ? <T>(work: () => Promise<T>) => work() : retryConflicts;
  const operations = OPERATIONS.map((operation) => {
    const call = (args: unknown) => run<unknown>(() => Reflect.apply(model[operation], model, [args]));
    return [operation, call] as const;
  });
  return {
    fields: model.fields,
    owner: isOwned && name !== "authenticator" ? (relationOf(client, modelName, users) ?? "") : "user",
    key: columnsOfKey === undefined ? "none" : (keyNameOf(client, modelName, columnsOfKey) ?? ""),
    ...Object.fromEntries(operations),
  } as Model<object>;
}
