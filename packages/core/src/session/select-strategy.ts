import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { SessionStrategy } from "./strategy.ts";

/** Once loaded, the strategy is called directly, because most requests read a session. */
const loaded: { -readonly [name in "jwt" | "database"]?: SessionStrategy } = {};

async function load(name: "jwt" | "database"): Promise<SessionStrategy> {
  const strategy =
    name === "jwt"
      ? (await import("./jwt-strategy.ts")).jwtStrategy
      : (await import("./database-strategy.ts")).databaseStrategy;
  loaded[name] = strategy;
  return strategy;
}

/**
 * A strategy that is loaded on the first request that may have a session. A request without cookies has none.
 */
const onUse = (name: "jwt" | "database"): SessionStrategy => ({
  read: async (context, mode) =>
    context.received.size === 0 ? { kind: "none" } : (await load(name)).read(context, mode),
  find: async (context) => (context.received.size === 0 ? null : (await load(name)).find(context)),
  sessionId: async (context) => (context.received.size === 0 ? "" : (await load(name)).sessionId(context)),
  issue: async (context, signedIn) => (await load(name)).issue(context, signedIn),
  update: async (context, data) => (await load(name)).update(context, data),
  rotate: async (context, expected, change) => (await load(name)).rotate(context, expected, change),
  revoke: async (context) => (await load(name)).revoke(context),
});

const ON_USE = { jwt: onUse("jwt"), database: onUse("database") };

/** The session strategy of this configuration. */
export function strategyOf({ session: { strategy } }: ResolvedConfig): SessionStrategy {
  return loaded[strategy] ?? ON_USE[strategy];
}
