import type { Seconds } from "@cardea/core/extend";
import type { Freshness } from "./follow-log.ts";

/** A length of time: seconds, or a text such as `"2s"`, `"15m"`, `"12h"` or `"30d"`. */
export type Duration = Seconds | string;

/** Settings of `sessions()`. */
export interface SessionsOptions {
  /** How a read learns that its session was ended. */
  readonly revocation?: {
    /**
     * `"log"` (default): from memory, which follows the store's log. `"each"`: each read asks the store, for platforms on which a process
     * lives as long as a request. `"off"`: sessions are listed, and cannot be ended before they expire.
     */
    readonly check?: "log" | "each" | "off";
    /** At most so long after a session was ended, other processes serve it; default `"2s"`. */
    readonly every?: Duration;
    /** While the store is away, what is known counts for so long; default `"60s"`. */
    readonly stale?: Duration;
    /** After that: `"deny"` answers that sessions are unavailable (default), `"serve"` goes on with what is known. */
    readonly onStale?: "deny" | "serve";
  };
  /** What is recorded of the device of a session. */
  readonly devices?: {
    /** `"truncated"`: without the last octet, or the last 80 bits of IPv6; default false. Needs `hops`. */
    readonly ip?: "truncated" | false;
    /** How many proxies in front of the application append to `X-Forwarded-For`; without it no address is believed. */
    readonly hops?: number;
    /** The header `User-Agent`, up to 256 characters; default true. */
    readonly userAgent?: boolean;
  };
  /** How many sessions a user has at the same time; default: as many as they like. */
  readonly limit?: {
    readonly perUser: number /** What happens at the next sign-in; default `"end-oldest"`. */;
    readonly exceed?: "end-oldest" | "refuse";
  };
  /** How long after its sign-in a session ends, whatever happens; default: `session.absolute` of the application. */
  readonly absolute?: Duration;
  /** With the strategy `database`: `"hashed"` stores SHA-256 of the token instead of the token; default `"plain"`. */
  readonly atRest?: "hashed" | "plain";
  /** Texts of the page. */
  readonly texts?: Partial<SessionPageTexts>;
}

/** The texts of the page `sessions`. */
export interface SessionPageTexts {
  readonly title: string;
  readonly current: string;
  /** `{time}` is replaced. */
  readonly signedIn: string;
  readonly seen: string;
  readonly unknownDevice: string;
  readonly end: string;
  readonly endOthers: string;
  readonly endAll: string;
}

/** Options, checked. */
export interface SessionSettings {
  readonly check: "log" | "each" | "off";
  readonly freshness: Freshness;
  readonly ip: boolean;
  readonly hops: number | undefined;
  readonly userAgent: boolean;
  readonly limit: { readonly perUser: number; readonly exceed: "end-oldest" | "refuse" } | undefined;
  readonly absolute: Seconds | undefined;
  readonly texts: SessionPageTexts;
}

const TEXTS: SessionPageTexts = {
  title: "Your sessions",
  current: "This device",
  signedIn: "Signed in {time}",
  seen: "Last active {time}",
  unknownDevice: "Unknown device",
  end: "Sign out",
  endOthers: "Sign out everywhere else",
  endAll: "Sign out everywhere",
};

/**
 * Checks the options.
 *
 * @throws TypeError that names the option.
 */
export function resolveSettings(options: SessionsOptions): SessionSettings {
  const { revocation = {}, devices = {}, limit, absolute, texts } = options;
  const { check = "log", onStale = "deny" } = revocation;
  const every = readDuration(revocation.every ?? "2s", "revocation.every");
  const stale = readDuration(revocation.stale ?? "60s", "revocation.stale");
  if (!["log", "each", "off"].includes(check)) refuse("revocation.check", check, '"log", "each" or "off"');
  if (!["deny", "serve"].includes(onStale)) refuse("revocation.onStale", onStale, '"deny" or "serve"');
  if (stale < every) refuse("revocation.stale", stale, "at least as long as `revocation.every`");
  const { ip = false, hops, userAgent = true } = devices;
  if (hops !== undefined && !(Number.isInteger(hops) && hops > 0))
    refuse("devices.hops", hops, "a whole number from 1");
  if (ip && hops === undefined) refuse("devices.hops", hops, "given where `devices.ip` is");
  if (limit !== undefined && !(Number.isInteger(limit.perUser) && limit.perUser > 0)) {
    refuse("limit.perUser", limit.perUser, "a whole number from 1");
  }
  if (check === "off" && limit !== undefined && limit.exceed !== "refuse")
    refuse(
      "limit.exceed",
      limit.exceed ?? "end-oldest",
      '"refuse" where `revocation.check` is "off": no session can be ended',
    );
  return {
    check,
    freshness: { every: 1000 * every, stale: 1000 * stale, serve: onStale === "serve" },
    ip: ip !== false,
    hops,
    userAgent,
    limit: limit && { perUser: limit.perUser, exceed: limit.exceed ?? "end-oldest" },
    absolute: absolute === undefined ? undefined : readDuration(absolute, "absolute"),
    texts: { ...TEXTS, ...texts },
  };
}

const UNITS: Readonly<Record<string, Seconds>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function readDuration(given: Duration, option: string): Seconds {
  const [, number = "", unit = ""] = typeof given === "string" ? (/^(\d{1,6})([smhd])$/.exec(given) ?? []) : [];
  const seconds = typeof given === "number" ? given : Number(number) * (UNITS[unit] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0
    ? seconds
    : refuse(option, given, 'a time such as "2s", "15m" or "30d"');
}

function refuse(option: string, given: unknown, wanted: string): never {
  throw new TypeError(`sessions(): \`${option}\` is ${JSON.stringify(given)}; it must be ${wanted}.`);
}
