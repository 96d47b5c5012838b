import { type Awaitable, checkOptions, optionRules, type Seconds, type User } from "@cardea/extend";
import type { Hasher, HashFormat } from "./hash/format.ts";
import { scrypt } from "./hash/scrypt.ts";
import { defaultTexts, type PasswordTexts } from "./pages/texts.ts";
import { type PasswordRule, type ResolvedRule, resolveRule } from "./rule/check-rule.ts";
import { type BreachedCheck, pwned } from "./rule/pwned.ts";

/** A message to a user. `mail` must reject if it could not be sent. */
export interface PasswordMail {
  /**
   * `confirm-address`: a link that completes a registration; `already-registered`: a registration with an address that
   * has an account; `reset`: a link for a new password; `changed`: the password was changed.
   */
  readonly kind: "confirm-address" | "already-registered" | "reset" | "changed";
  /** The address: a single recipient. Do not parse it as a list. */
  readonly to: string;
  /** Subject of the message. */
  readonly subject: string;
  /** Plain text, including the link. */
  readonly text: string;
  /** The link; undefined if the message has none. */
  readonly url: string | undefined;
}

/** A duration: seconds, or a string such as `"15m"`. */
export type Duration = Seconds | `${number}${"s" | "m" | "h"}`;

/** Options of {@link import("./password.ts").Password}. */
export interface PasswordOptions {
  /** Default `password`. */
  readonly id?: string;
  /** Shown on the sign-in page; default `Password`. */
  readonly name?: string;
  /**
   * Sends messages. If omitted, registration and password reset are disabled; with `NODE_ENV=development`, messages are
   * printed.
   */
  readonly mail?: ((mail: PasswordMail) => Awaitable<void>) | undefined;
  /**
   * Registration. `false` disables it, if the application creates accounts. `maxAge`: lifetime of a link, default one
   * day.
   */
  readonly register?: false | { readonly verify?: "first"; readonly maxAge?: Duration };
  /** Password reset. `maxAge`: lifetime of a link, default `"15m"`. */
  readonly reset?: { readonly maxAge?: Duration };
  /** Requirements for new passwords. */
  readonly rule?: PasswordRule;
  /**
   * Whether this user must provide a second factor at every sign-in. Only then does `rule.minWithSecondFactor` apply.
   * Before registration, the user only has an address. Default: no.
   */
  readonly alwaysSecondFactor?: (user: User) => Awaitable<boolean>;
  /** Hash function for new passwords; default `scrypt()`. */
  readonly hash?: Hasher;
  /** Accepted hash formats of other libraries. Hashes are upgraded at sign-in. */
  readonly accept?: readonly HashFormat[];
  /** Check against breached passwords; default `pwned()`. `false` disables it. */
  readonly breached?: BreachedCheck | false;
  /** The number of passwords hashed concurrently per process; default `"auto"`. */
  readonly parallel?: number | "auto";
  /** How long a sign-in waits for its turn before it receives 503; default 8 seconds. */
  readonly wait?: Seconds;
  /**
   * Looks up a hash in its current location, such as your own table. Called until the user's first sign-in. Return null
   * for unknown users.
   */
  readonly legacy?: (identifier: string) => Awaitable<{ readonly userId: string; readonly hash: string } | null>;
  /**
   * Your own pages, which replace the built-in ones. They receive `step`, `token`, `pending`, `error` and a validated `callbackUrl`, and must post
   * the same fields.
   */
  readonly pages?: { readonly register?: string; readonly reset?: string; readonly password?: string };
  /** Texts of the built-in pages and messages. */
  readonly texts?: Partial<PasswordTexts>;
  /** Keeps the process alive for work after the response, such as `waitUntil` on serverless platforms. */
  readonly after?: (work: Promise<void>) => void;
}

/** Options with their defaults. */
export interface Settings {
  readonly id: string;
  readonly name: string;
  readonly mail: PasswordOptions["mail"];
  readonly registerAge: Seconds | null;
  readonly resetAge: Seconds;
  readonly rule: ResolvedRule;
  readonly alwaysSecondFactor: (user: User) => Awaitable<boolean>;
  readonly hash: Hasher;
  /** Accepted formats, the current one first. */
  readonly formats: readonly HashFormat[];
  readonly breached: BreachedCheck | false;
  readonly parallel: number | "auto";
  readonly wait: Seconds;
  readonly legacy: PasswordOptions["legacy"];
  readonly pages: NonNullable<PasswordOptions["pages"]>;
  readonly texts: PasswordTexts;
  readonly after: (work: Promise<void>) => void;
}

const DAY: Seconds = 24 * 60 * 60;
const UNITS: Readonly<Record<string, Seconds>> = { s: 1, m: 60, h: 3600 };

/**
 * Fills in the defaults.
 *
 * @throws TypeError for an invalid option.
 */
export function resolveOptions(options: PasswordOptions): Settings {
  checkAll(options);
  const { id = "password", name = "Password", register = {}, reset = {}, hash = scrypt(), accept = [] } = options;
  const { parallel = "auto", wait = 8, breached = pwned(), pages = {} } = options;
  if (parallel !== "auto" && !(Number.isInteger(parallel) && parallel > 0))
    throw new TypeError('Password(): `parallel` must be "auto" or a positive integer.');
  if (!(wait > 0 && wait <= 20)) throw new TypeError("Password(): `wait` must be between 0 and 20 seconds.");
  return {
    id,
    name,
    mail: options.mail ?? printer(),
    registerAge: register === false ? null : secondsOf(register.maxAge ?? DAY, "register.maxAge", DAY),
    resetAge: secondsOf(reset.maxAge ?? "15m", "reset.maxAge", DAY),
    rule: resolveRule(options.rule ?? {}),
    alwaysSecondFactor: options.alwaysSecondFactor ?? (() => false),
    hash,
    formats: [hash, ...accept],
    breached,
    parallel,
    wait,
    legacy: options.legacy,
    pages,
    texts: { ...defaultTexts, ...options.texts },
    after: options.after ?? (() => undefined),
  };
}

function checkAll(options: PasswordOptions): void {
  const { any, callable, line, list, object, page } = optionRules;
  checkOptions("Password()", options, {
    ...{ id: line, name: line, mail: callable, register: any, reset: object, rule: object, hash: object, accept: list },
    ...{ alwaysSecondFactor: callable, breached: any, parallel: any, wait: any, legacy: callable },
    ...{ pages: object, texts: object, after: callable },
  });
  const { register, reset = {}, rule = {}, pages = {}, breached } = options;
  if (register !== undefined && register !== false)
    checkOptions("Password(): `register`", register, { verify: optionRules.oneOf("first"), maxAge: any });
  checkOptions("Password(): `reset`", reset, { maxAge: any });
  checkOptions("Password(): `rule`", rule, { min: any, minWithSecondFactor: any, max: any, words: list });
  checkOptions("Password(): `pages`", pages, { register: page, reset: page, password: page });
  if (breached !== undefined && breached !== false && !callable.accepts(breached))
    throw new TypeError("Password(): `breached` must be a function or false.");
}

function secondsOf(duration: Duration, option: string, max: Seconds): Seconds {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([smh])$/.exec(String(duration)) ?? [];
  const seconds = typeof duration === "number" ? duration : Number(amount) * (UNITS[unit ?? ""] ?? Number.NaN);
  if (seconds >= 60 && seconds <= max) return Math.round(seconds);
  throw new TypeError(`Password(): \`${option}\` must be between one minute and one day, such as "15m".`);
}

/** A logged link signs in anyone who reads the log, so this requires NODE_ENV=development. */
function printer(): PasswordOptions["mail"] {
  const process: unknown = Reflect.get(globalThis, "process");
  const env: unknown = typeof process === "object" && process !== null ? Reflect.get(process, "env") : undefined;
  const mode: unknown = typeof env === "object" && env !== null ? Reflect.get(env, "NODE_ENV") : undefined;
  if (mode !== "development") return undefined;
  return ({ to, subject, text }) => console.info(`E-mail to ${to}: ${subject}\n\n${text}`);
}
