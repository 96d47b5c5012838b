import { randomHex } from "../crypto/random-hex.ts";
import type { AuthConfig } from "../model/config.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import {
  DEFAULT_SESSION_MAX_AGE,
  DEFAULT_SESSION_UPDATE_AGE,
  DEFAULT_TOKEN_CACHE,
  MAX_LIFETIME,
  type Seconds,
} from "../model/units.ts";
import { listSecrets } from "./resolve-secrets.ts";

/** The configured strategy; otherwise `database` with an adapter, else `jwt`. */
export function resolveStrategy(given: AuthConfig): "jwt" | "database" {
  return given.session?.strategy ?? (given.adapter === undefined ? "jwt" : "database");
}

/** The lifetime of a session record. */
function recordLifetime({ session }: AuthConfig): Seconds {
  return Math.min(session?.maxAge ?? DEFAULT_SESSION_MAX_AGE, MAX_LIFETIME);
}

/** The lifetime of a session token. */
function tokenLifetime({ jwt, session }: AuthConfig): Seconds {
  return Math.min(jwt?.maxAge ?? session?.maxAge ?? DEFAULT_SESSION_MAX_AGE, MAX_LIFETIME);
}

/** How long an unused session lasts, or its cookie. One that is not renewed by then ends although it is used. */
export function sessionLifetime(given: AuthConfig): Seconds {
  const lifetime = resolveStrategy(given) === "jwt" ? tokenLifetime(given) : recordLifetime(given);
  return Math.min(lifetime, given.cookies?.sessionToken?.options?.maxAge ?? lifetime);
}

/** The lifetimes and the strategy of sessions. */
export function resolveSession(given: AuthConfig): ResolvedConfig["session"] {
  const {
    // Half of a short lifetime: a user who returns within it stays signed in.
    updateAge = Math.min(DEFAULT_SESSION_UPDATE_AGE, Math.floor(sessionLifetime(given) / 2)),
    absolute,
    generateSessionToken,
  } = given.session ?? {};
  return {
    strategy: resolveStrategy(given),
    maxAge: recordLifetime(given),
    updateAge,
    // A reader does not check options: text of the environment is a number, and what is no number limits a session to nothing.
    absolute: absolute === undefined ? undefined : Number(absolute),
    generateSessionToken: generateSessionToken ?? (() => randomHex()),
  };
}

/** How session tokens are encrypted. */
export function resolveJwt(given: AuthConfig, secrets: readonly string[]): ResolvedConfig["jwt"] {
  const own = listSecrets(given.jwt?.secret);
  return {
    secrets: own.length > 0 ? own : secrets,
    maxAge: tokenLifetime(given),
    encode: given.jwt?.encode,
    decode: given.jwt?.decode,
    tokenCache: given.jwt?.tokenCache ?? DEFAULT_TOKEN_CACHE,
  };
}
