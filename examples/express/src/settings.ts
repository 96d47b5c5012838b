import { fileURLToPath } from "node:url";

/** How the demo is started: everything that the environment decides. */
export interface Settings {
  /** The next free port is taken when this one is not; 0 is any. */
  readonly port: number;
  /** Where the users are: `postgres://…`, or `file:…` for SQLite. */
  readonly databaseUrl: string;
  readonly strategy: "database" | "jwt";
  /** `redis://…`, which several processes of the demo share; absent: no lists of sessions, and no limits of attempts. */
  readonly redisUrl: string | undefined;
  /** Whether there is an `AUTH_SECRET`, which the library reads itself. */
  readonly hasSecret: boolean;
  /** A provider that is there already; absent: the demo starts one. */
  readonly provider: { readonly issuer: string; readonly clientId: string; readonly clientSecret: string } | undefined;
  /** A mail server that is there already; absent: the demo starts one that delivers nothing. */
  readonly mailServer: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the environment. Empty variables count as absent.
 *
 * @throws Error that names the variable and what it takes.
 */
export function parseSettings(env: Environment): Settings {
  return {
    port: parsePort(env.PORT || "3000"),
    databaseUrl: env.DATABASE_URL || `file:${fileURLToPath(new URL("../data/green-room.db", import.meta.url))}`,
    strategy: parseStrategy(env.SESSION_STRATEGY || "database"),
    redisUrl: env.REDIS_URL || undefined,
    hasSecret: Boolean(env.AUTH_SECRET),
    provider: parseProvider(env),
    mailServer: env.SMTP_URL || undefined,
  };
}

function parsePort(given: string): number {
  if (/^\d{1,5}$/.test(given) && Number(given) < 65536) return Number(given);
  throw new Error(`PORT is "${given}"; it takes a number from 0 (any free port) to 65535.`);
}

function parseStrategy(given: string): Settings["strategy"] {
  if (given === "database" || given === "jwt") return given;
  throw new Error(`SESSION_STRATEGY is "${given}"; it takes "database" or "jwt".`);
}

function parseProvider({ OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }: Environment): Settings["provider"] {
  if (!OIDC_ISSUER) return undefined;
  if (OIDC_CLIENT_ID && OIDC_CLIENT_SECRET)
    return { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET };
  throw new Error("OIDC_ISSUER needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET beside it.");
}
