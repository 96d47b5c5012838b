import { MissingAdapter, SessionUnavailable } from "../model/errors.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import { accountsOf } from "./accounts.ts";
import type { SessionStrategy } from "./strategy.ts";

const jwt = deferStrategy(async () => (await import("./jwt-strategy.ts")).jwtStrategy);

/**
 * The session strategy of this configuration.
 *
 * @throws SessionUnavailable without the adapter that sessions in a database need. Only a reader can lack it: the application does not start.
 */
export function strategyOf(config: ResolvedConfig): SessionStrategy {
  if (config.session.strategy === "jwt") return jwt();
  const accounts = accountsOf(config);
  if (accounts !== undefined) return accounts.sessions();
  const err = new MissingAdapter("Sessions in a database need the `adapter` that the application has.");
  throw new SessionUnavailable("The session cannot be read without the adapter.", { cause: { err } });
}

/**
 * A strategy that is loaded with the first request that may have a session. A request without cookies has none. Once loaded, it is called
 * directly, because most requests read a session.
 */
/* @__NO_SIDE_EFFECTS__ */
export function deferStrategy(load: () => Promise<SessionStrategy>): () => SessionStrategy {
  let loaded: SessionStrategy | undefined;
  const ready = async () => {
    loaded ??= await load();
    return loaded;
  };
  const onUse: SessionStrategy = {
    read: async (context, mode) =>
      context.received.size === 0 ? { kind: "none" } : (await ready()).read(context, mode),
    find: async (context) => (context.received.size === 0 ? null : (await ready()).find(context)),
    findAll: async (context) => (context.received.size === 0 ? [] : (await ready()).findAll(context)),
    findSole: async (context) => (context.received.size === 0 ? null : (await ready()).findSole(context)),
    sessionId: async (context) => (context.received.size === 0 ? "" : (await ready()).sessionId(context)),
    issue: async (context, signedIn) => (await ready()).issue(context, signedIn),
    update: async (context, data) => (await ready()).update(context, data),
    rotate: async (context, expected, change) => (await ready()).rotate(context, expected, change),
    revoke: async (context) => (await ready()).revoke(context),
  };
  return () => loaded ?? onUse;
}
