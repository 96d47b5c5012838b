import { randomHex } from "../crypto/random-hex.ts";
import type { AuthConfig } from "../model/config.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import {
  DEFAULT_SESSION_MAX_AGE,
  DEFAULT_SESSION_UPDATE_AGE,
  DEFAULT_TOKEN_CACHE,
  MAX_LIFETIME,
} from "../model/units.ts";
import { listSecrets } from "./resolve-secrets.ts";

/** The configured strategy; otherwise `database` with an adapter, else `jwt`. */
export function resolveStrategy(given: AuthConfig): "jwt" | "database" {
  return given.session?.strategy ?? (given.adapter === undefined ? "jwt" : "database");
}

/** The lifetimes and the strategy of sessions. */
export function resolveSession(given: AuthConfig): ResolvedConfig["session"] {
  const {
    maxAge = DEFAULT_SESSION_MAX_AGE,
    updateAge = DEFAULT_SESSION_UPDATE_AGE,
    absolute,
    generateSessionToken,
  } = given.session ?? {};
  return {
    strategy: resolveStrategy(given),
    maxAge: Math.min(maxAge, MAX_LIFETIME),
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
    maxAge: Math.min(given.jwt?.maxAge ?? given.session?.maxAge ?? DEFAULT_SESSION_MAX_AGE, MAX_LIFETIME),
    encode: given.jwt?.encode,
    decode: given.jwt?.decode,
    tokenCache: given.jwt?.tokenCache ?? DEFAULT_TOKEN_CACHE,
  };
}
