import { checkOptions, optionRules, type Seconds, type Tools } from "@cardea/extend";
import type { Freshness } from "./follow-log.ts";

/** A duration: seconds, or a string such as `"2s"`, `"15m"`, `"12h"` or `"30d"`. */
export type Duration = Seconds | string;

/** Settings of `sessions()`. */
export interface SessionsOptions {
  /** How reads detect that a session was ended. */
  readonly revocation?: {
    /**
     * `"log"` (default): reads check memory, which follows a log in the store. `"each"`: each read queries the store,
     * for platforms on which a process lives only for one request. `"off"`: sessions are listed, but cannot be ended
     * before they expire.
     */
    readonly check?: "log" | "each" | "off";
    /** The maximum time for which other processes still serve an ended session; default `"2s"`. */
    readonly every?: Duration;
    /** How long the last known state is used while the store is unavailable; default `"60s"`. */
    readonly stale?: Duration;
    /**
     * What happens after `stale`: `"deny"` (default) reports sessions as unavailable, `"serve"` keeps using the last
     * known state.
     */
    readonly onStale?: "deny" | "serve";
  };
  /** What is recorded about the device of a session. */
  readonly devices?: {
    /**
     * `"truncated"` records the IP address without the last octet, or without the last 80 bits of IPv6. Default: false.
     * Requires `hops`.
     */
    readonly ip?: "truncated" | false;
    /**
     * The number of proxies in front of the application that append to `X-Forwarded-For`. If omitted, no address is
     * recorded.
     */
    readonly hops?: number;
    /** The header `User-Agent`, up to 256 characters; default true. */
    readonly userAgent?: boolean;
  };
  /** The maximum number of concurrent sessions per user; default: unlimited. */
  readonly limit?: {
    /** The maximum number of sessions of one user. */
    readonly perUser: number;
    /** What happens when a sign-in exceeds the limit; default `"end-oldest"`. */
    readonly exceed?: "end-oldest" | "refuse";
  };
  /**
   * Absolute lifetime: how long after the sign-in a session ends, regardless of activity. Default: `session.absolute`
   * of the application.
   */
  readonly absolute?: Duration;
  /** With the strategy `database`: `"hashed"` stores SHA-256 of the token instead of the token; default `"plain"`. */
  readonly atRest?: "hashed" | "plain";
  /** Texts of the page. */
  readonly texts?: Partial<SessionPageTexts>;
}

/** The texts of the page `sessions`. */
export interface SessionPageTexts {
  /** The heading. */
  readonly title: string;
  /** Marks the session that shows the page. */
  readonly current: string;
  /** `{time}` is replaced. */
  readonly signedIn: string;
  /** When a session was last active; `{time}` is replaced. */
  readonly seen: string;
  /** Shown if the device is not recognized. */
  readonly unknownDevice: string;
  /** The button beside a session. */
  readonly end: string;
  /** The button that ends all other sessions. */
  readonly endOthers: string;
  /** What it does, shown before it does. */
  readonly endOthersText: string;
  /** The button that ends all sessions, this one included. */
  readonly endAll: string;
  /** What it does, shown before it does. */
  readonly endAllText: string;
  /** On the account page: the link to this page. */
  readonly manage: string;
  /** The link to the account page. */
  readonly toAccount: string;
}

/** Validated options. */
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
  endOthersText: "Every other browser and device is signed out. This one stays signed in.",
  endAll: "Sign out everywhere",
  endAllText: "Every browser and device is signed out, this one included.",
  manage: "Manage your sessions",
  toAccount: "Your account",
};

/**
 * Checks the options.
 *
 * @throws TypeError that names the option.
 */
export function resolveSettings(options: SessionsOptions): SessionSettings {
  checkAll(options);
  const { revocation = {}, devices = {}, limit, absolute, texts } = options;
  const { check = "log", onStale = "deny" } = revocation;
  const every = readDuration(revocation.every ?? "2s", "revocation.every");
  const stale = readDuration(revocation.stale ?? "60s", "revocation.stale");
  if (!["log", "each", "off"].includes(check)) refuse("revocation.check", check, '"log", "each" or "off"');
  if (!["deny", "serve"].includes(onStale)) refuse("revocation.onStale", onStale, '"deny" or "serve"');
  if (stale < every) refuse("revocation.stale", stale, "at least as long as `revocation.every`");
  const { ip = false, hops, userAgent = true } = devices;
  if (hops !== undefined && !(Number.isInteger(hops) && hops > 0))
    refuse("devices.hops", hops, "an integer of at least 1");
  if (ip && hops === undefined) refuse("devices.hops", hops, "set if `devices.ip` is set");
  if (limit !== undefined && !(Number.isInteger(limit.perUser) && limit.perUser > 0)) {
    refuse("limit.perUser", limit.perUser, "an integer of at least 1");
  }
  if (check === "off" && limit !== undefined && limit.exceed !== "refuse")
    refuse(
      "limit.exceed",
      limit.exceed ?? "end-oldest",
      '"refuse" if `revocation.check` is "off", because sessions cannot be ended then',
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

function checkAll(options: SessionsOptions): void {
  const { any, boolean, object, oneOf } = optionRules;
  checkOptions("sessions()", options, {
    ...{ revocation: object, devices: object, limit: object, texts: object },
    ...{ absolute: any, atRest: oneOf("hashed", "plain") },
  });
  const { revocation = {}, devices = {}, limit } = options;
  checkOptions("sessions(): `revocation`", revocation, { check: any, every: any, stale: any, onStale: any });
  checkOptions("sessions(): `devices`", devices, { ip: oneOf("truncated", false), hops: any, userAgent: boolean });
  const rules = { perUser: any, exceed: oneOf("end-oldest", "refuse") };
  if (limit !== undefined) checkOptions("sessions(): `limit`", limit, rules);
}

const UNITS: Readonly<Record<string, Seconds>> = { s: 1, m: 60, h: 3600, d: 86_400 };

function readDuration(given: Duration, option: string): Seconds {
  const [, number = "", unit = ""] = typeof given === "string" ? (/^(\d{1,6})([smhd])$/.exec(given) ?? []) : [];
  const seconds = typeof given === "number" ? given : Number(number) * (UNITS[unit] ?? Number.NaN);
  return Number.isFinite(seconds) && seconds > 0
    ? seconds
    : refuse(option, given, 'a duration such as "2s", "15m" or "30d"');
}

function refuse(option: string, given: unknown, wanted: string): never {
  throw new TypeError(`sessions(): \`${option}\` is ${JSON.stringify(given)}; it must be ${wanted}.`);
}

/** Ending sessions must not appear to succeed if no read checks for it. @throws Error. */
export function requireEnds({ settings }: Pick<Tools, "settings">): void {
  // A cast: those of `sessions()`.
  const { check } = settings as SessionSettings;
  if (check !== "off") return;
  throw new Error('sessions(): sessions cannot be ended while `revocation.check` is "off". Use "log" or "each".');
}
