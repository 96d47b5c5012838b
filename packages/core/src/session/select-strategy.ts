import type { ResolvedConfig } from "../model/resolved-config.ts";
import { databaseStrategy } from "./database-strategy.ts";
import { jwtStrategy } from "./jwt-strategy.ts";
import type { SessionStrategy } from "./strategy.ts";

const STRATEGIES = { jwt: jwtStrategy, database: databaseStrategy } as const satisfies Record<
  ResolvedConfig["session"]["strategy"],
  SessionStrategy
>;

/** The session strategy of this configuration. */
export function strategyOf(config: ResolvedConfig): SessionStrategy {
  return STRATEGIES[config.session.strategy];
}
