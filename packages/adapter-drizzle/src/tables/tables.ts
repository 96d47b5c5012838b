import type { Table } from "drizzle-orm";
import type { AnyTable, Dialect } from "../database.ts";

/** A column with values of a given type. */
export interface ColumnOf<Data, Kind extends Dialect> {
  /** Drizzle's description of the column. */
  readonly _: { readonly data: Data; readonly dialect: Kind };
}

type Columns<Names extends string, Data, Kind extends Dialect> = { readonly [Name in Names]: ColumnOf<Data, Kind> };

type UserColumns<Kind extends Dialect> = Columns<"id" | "name" | "email" | "image", string, Kind> &
  Columns<"emailVerified", Date, Kind>;
type AccountColumns<Kind extends Dialect> = Columns<"userId" | "type" | "provider" | "providerAccountId", string, Kind>;
type SessionColumns<Kind extends Dialect> = Columns<"sessionToken" | "userId", string, Kind> &
  Columns<"expires", Date, Kind>;
type VerificationTokenColumns<Kind extends Dialect> = Columns<"identifier" | "token", string, Kind> &
  Columns<"expires", Date, Kind>;
type AuthenticatorColumns<Kind extends Dialect> = Columns<
  "credentialID" | "userId" | "providerAccountId" | "credentialPublicKey" | "credentialDeviceType" | "transports",
  string,
  Kind
> &
  Columns<"counter", number, Kind> &
  Columns<"credentialBackedUp", boolean, Kind>;
type SessionInfoColumns<Kind extends Dialect> = Columns<
  "id" | "tokenHash" | "userId" | "factors" | "provider" | "providerAccountId",
  string,
  Kind
> &
  Columns<"acr" | "idp" | "userAgent" | "ip" | "deviceKey" | "endReason", string, Kind> &
  Columns<"createdAt" | "seenAt" | "expires" | "endedAt", Date, Kind> &
  Columns<"epoch", number, Kind>;
type CredentialColumns<Kind extends Dialect> = Columns<
  "id" | "userId" | "type" | "secret" | "label" | "state",
  string,
  Kind
> &
  Columns<"createdAt" | "usedAt", Date, Kind> &
  Columns<"version", number, Kind>;
type StateColumns<Kind extends Dialect> = Columns<"key" | "value", string, Kind> &
  Columns<"expires", Date, Kind> &
  Columns<"version", number, Kind>;
type StateLogColumns<Kind extends Dialect> = Columns<"name" | "entry", string, Kind> &
  Columns<"seq", number, Kind> &
  Columns<"expires", Date, Kind>;

/**
 * The tables of an application. The member names are those of `@auth/drizzle-adapter`. Names in the database are
 * arbitrary, and additional columns are allowed.
 */
export interface TablesOf<Kind extends Dialect> {
  /** The users. */
  readonly usersTable: Table & UserColumns<Kind>;
  /** The accounts. */
  readonly accountsTable: Table & AccountColumns<Kind>;
  /** The sessions. Default: the table `session`. */
  readonly sessionsTable?: Table & SessionColumns<Kind>;
  /** Pending e-mail sign-ins. Default: the table `verificationToken`. */
  readonly verificationTokensTable?: Table & VerificationTokenColumns<Kind>;
  /** The passkeys. Default: the table `authenticator` of Auth.js. With `name`, `createdAt` and `usedAt`, passkeys have names. */
  readonly authenticatorsTable?: Table & AuthenticatorColumns<Kind>;
  /** Session records, for extensions. If omitted, the adapter lacks the methods for them. */
  readonly sessionInfosTable?: Table & SessionInfoColumns<Kind>;
  /** Passwords and second factors, for extensions. If omitted, the adapter lacks the methods for them. */
  readonly credentialsTable?: Table & CredentialColumns<Kind>;
  /** Together with `stateLogsTable`: the adapter's own store. */
  readonly statesTable?: Table & StateColumns<Kind>;
  /** The log of the store. */
  readonly stateLogsTable?: Table & StateLogColumns<Kind>;
}

/** The tables used by the adapter: the five of Auth.js, and the application's tables of extensions. */
export interface Tables {
  readonly usersTable: AnyTable;
  readonly accountsTable: AnyTable;
  readonly sessionsTable: AnyTable;
  readonly verificationTokensTable: AnyTable;
  readonly authenticatorsTable: AnyTable;
  readonly sessionInfosTable?: AnyTable;
  readonly credentialsTable?: AnyTable;
  readonly statesTable?: AnyTable;
  readonly stateLogsTable?: AnyTable;
}
