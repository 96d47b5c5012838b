import type { ResolvedConfig } from "../model/resolved-config.ts";
import { jwtStrategy } from "./jwt-strategy.ts";
import type { SessionStrategy } from "./strategy.ts";

/** Once it is loaded it is called without a detour: most requests of such an application read a session. */
let database: SessionStrategy | undefined;

async function loadDatabase(): Promise<SessionStrategy> {
  database ??= (await import("./database-strategy.ts")).databaseStrategy;
  return database;
}

/** An application without sessions in a database does not load them. */
const databaseOnUse: SessionStrategy = {
  read: async (context, mode) => (await loadDatabase()).read(context, mode),
  identify: async (context) => (await loadDatabase()).identify(context),
  find: async (context) => (await loadDatabase()).find(context),
  sessionId: async (context) => (await loadDatabase()).sessionId(context),
  issue: async (context, signedIn) => (await loadDatabase()).issue(context, signedIn),
  update: async (context, data) => (await loadDatabase()).update(context, data),
  revoke: async (context) => (await loadDatabase()).revoke(context),
};

/** The session strategy of this configuration. */
export function strategyOf({ session }: ResolvedConfig): SessionStrategy {
  return session.strategy === "jwt" ? jwtStrategy : (database ?? databaseOnUse);
}
