import { type Adapter, decideRemoval, type SignInMethodRemoved, tablesOfRemoval } from "@cardea/core/adapters";
import { sql } from "drizzle-orm";
import type { AnyTable, Database, OpenDatabase } from "../database.ts";
import { inOneStep, type Part, returning } from "../in-one-step.ts";
import { requireRows } from "../results.ts";
import type { Tables } from "../tables/tables.ts";
import { requireText, whereText } from "../where.ts";
import { toAccount, toAuthenticator, toCredential, toUser } from "./to-records.ts";

type Removal = Parameters<NonNullable<Adapter["removeSignInMethod"]>>[0];

/** Whether the driver can read, decide and write in one transaction. All statements of a batch are built before the first one runs. */
export function canDecideInOneStep({ steps }: OpenDatabase): boolean {
  return steps === "async" || steps === "sync";
}

/** Removes ways to sign in, one caller at a time for each user. */
export function removalMethods(database: OpenDatabase, tables: Tables) {
  return {
    async removeSignInMethod(removal) {
      const reads = readsOf(database, tables, removal);
      const outcome = (done: readonly unknown[]) => decide(removal, reads, done);
      const results = await inOneStep(database, [
        ...reads.map(({ part }) => part),
        ...deletions(database, tables, removal).map(({ table, where }): Part => {
          return (db, done) =>
            returning(database, db.delete(table).where(outcome(done) === "removed" ? where : sql`1 = 0`));
        }),
      ]);
      return outcome(results);
    },
  } satisfies Adapter;
}

/** A statement before the decision, and what it reads. */
interface Read {
  readonly of: "user" | "accounts" | "authenticators" | "credentials" | "nothing";
  readonly part: Part;
}

function readsOf(database: OpenDatabase, tables: Tables, removal: Removal): readonly Read[] {
  const { dialect } = database;
  const { usersTable, accountsTable, authenticatorsTable, credentialsTable } = tables;
  const userId = requireText(removal.userId, "userId");
  const needed = tablesOfRemoval(removal);
  const isUser = whereText(dialect, usersTable, { id: userId });
  const list = (of: Read["of"], table: AnyTable | undefined, isNeeded = true): readonly Read[] => {
    if (table === undefined || !isNeeded) return [];
    const where = table === usersTable ? isUser : whereText(dialect, table, { userId });
    return [{ of, part: (db: Database) => db.select().from(table).where(where) }];
  };
  // Locks the row until the end: the next caller counts what this one leaves. It comes first, so that MySQL takes no snapshot before.
  const lock: Part = (db) => returning(database, db.update(usersTable).set({ id: userId }).where(isUser));
  return [
    { of: "nothing", part: lock },
    ...list("user", usersTable),
    ...list("accounts", accountsTable, needed.accounts),
    ...list("authenticators", authenticatorsTable, needed.authenticators),
    ...list("credentials", credentialsTable, needed.credentials),
  ];
}

function decide(removal: Removal, reads: readonly Read[], done: readonly unknown[]): SignInMethodRemoved {
  const rows = (of: Read["of"]) => {
    const index = reads.findIndex((one) => one.of === of);
    return index < 0 ? [] : requireRows(done[index]);
  };
  const [user] = rows("user");
  return decideRemoval(removal, {
    user: user === undefined ? null : toUser(user),
    accounts: rows("accounts").map(toAccount),
    authenticators: rows("authenticators").map(toAuthenticator),
    credentials: rows("credentials").map(toCredential),
  });
}

function deletions({ dialect }: OpenDatabase, tables: Tables, removal: Removal) {
  const { accountsTable, authenticatorsTable, credentialsTable } = tables;
  const { userId } = removal;
  const of = (table: AnyTable, key: Readonly<Record<string, unknown>>) => ({
    table,
    where: whereText(dialect, table, { userId, ...key }),
  });
  return [
    ...removal.accounts.map(({ provider, providerAccountId }) => of(accountsTable, { provider, providerAccountId })),
    ...removal.authenticators.map((credentialID) => of(authenticatorsTable, { credentialID })),
    ...(credentialsTable === undefined ? [] : removal.credentials.map((id) => of(credentialsTable, { id }))),
  ];
}
