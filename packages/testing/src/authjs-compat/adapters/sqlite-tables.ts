/** How adapters name their tables, and what they keep a time in. */
interface Dialect {
  readonly table: (name: string) => string;
  readonly time: string;
}

/** SQL of the tables that adapters for SQLite expect: the same everywhere but for names and times. */
export function sqliteTables({ table, time }: Dialect): string {
  const user = `REFERENCES "${table("User")}"(id) ON DELETE CASCADE`;
  return `
    CREATE TABLE "${table("User")}" (
      id TEXT PRIMARY KEY NOT NULL, name TEXT, email TEXT UNIQUE, emailVerified ${time}, image TEXT
    );
    CREATE TABLE "${table("Account")}" (
      userId TEXT NOT NULL ${user}, type TEXT NOT NULL, provider TEXT NOT NULL, providerAccountId TEXT NOT NULL,
      refresh_token TEXT, access_token TEXT, expires_at INTEGER, token_type TEXT, scope TEXT, id_token TEXT,
      session_state TEXT, PRIMARY KEY (provider, providerAccountId)
    );
    CREATE TABLE "${table("Session")}" (
      sessionToken TEXT PRIMARY KEY NOT NULL, userId TEXT NOT NULL ${user}, expires ${time} NOT NULL
    );
    CREATE TABLE "${table("VerificationToken")}" (
      identifier TEXT NOT NULL, token TEXT NOT NULL, expires ${time} NOT NULL, PRIMARY KEY (identifier, token)
    );
    CREATE TABLE "${table("Authenticator")}" (
      credentialID TEXT NOT NULL UNIQUE, userId TEXT NOT NULL ${user}, providerAccountId TEXT NOT NULL,
      credentialPublicKey TEXT NOT NULL, counter INTEGER NOT NULL, credentialDeviceType TEXT NOT NULL,
      credentialBackedUp INTEGER NOT NULL, transports TEXT, PRIMARY KEY (userId, credentialID)
    );`;
}
