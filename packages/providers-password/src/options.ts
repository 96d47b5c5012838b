import type { Awaitable, Seconds, User } from "@cardea/core/extend";
import type { Hasher, HashFormat } from "./hash/format.ts";
import { scrypt } from "./hash/scrypt.ts";
import { defaultTexts, type PasswordTexts } from "./pages/texts.ts";
import { type PasswordRule, type ResolvedRule, resolveRule } from "./rule/check-rule.ts";
import { type BreachedCheck, pwned } from "./rule/pwned.ts";

/** A message to a user. Sending it must reject if it could not be sent. */
export interface PasswordMail {
  /**
   * `confirm-address`: a link that completes a registration; `already-registered`: someone registered with an address that has an account;
   * `reset`: a link for a new password; `changed`: the password was changed.
   */
  readonly kind: "confirm-address" | "already-registered" | "reset" | "changed";
  /** The address. One recipient, whatever it contains. */
  readonly to: string;
  /** Subject of the message. */
  readonly subject: string;
  /** Its text, without markup; the link is in it. */
  readonly text: string;
  /** The link; undefined where the message has none. */
  readonly url: string | undefined;
}

/** A length of time: seconds, or text such as `"15m"`. */
export type Duration = Seconds | `${number}${"s" | "m" | "h"}`;

/** Options of {@link import("./password.ts").Password}. */
export interface PasswordOptions {
  /** Default `password`. */
  readonly id?: string;
  /** Shown on the sign-in page; default `Password`. */
  readonly name?: string;
  /** Sends messages. Without it no one can register or reset a password; with `NODE_ENV=development` they are printed. */
  readonly mail?: ((mail: PasswordMail) => Awaitable<void>) | undefined;
  /** Registration; false: accounts are made by the application. `maxAge`: how long a link is valid, default a day. */
  readonly register?: false | { readonly verify?: "first"; readonly maxAge?: Duration };
  /** `maxAge`: how long a link for a new password is valid; default `"15m"`. */
  readonly reset?: { readonly maxAge?: Duration };
  /** What a new password has to be. */
  readonly rule?: PasswordRule;
  /**
   * Whether a second factor is required of this user at every sign-in. Only then `rule.minWithSecondFactor` counts. Before registration
   * the user has an address only. Default: no.
   */
  readonly alwaysSecondFactor?: (user: User) => Awaitable<boolean>;
  /** How new passwords are hashed; default `scrypt()`. */
  readonly hash?: Hasher;
  /** Formats of hashes that other libraries made. After a sign-in they are replaced. */
  readonly accept?: readonly HashFormat[];
  /** A check against breached passwords; default `pwned()`; false: none. */
  readonly breached?: BreachedCheck | false;
  /** How many passwords are hashed at the same time by one process; default `"auto"`. */
  readonly parallel?: number | "auto";
  /** How long a sign-in waits for its turn before it is answered with 503; default 8 seconds. */
  readonly wait?: Seconds;
  /** Looks a hash up where it is now, such as in a table of your own; called until the user's first sign-in. Null: unknown. */
  readonly legacy?: (identifier: string) => Awaitable<{ readonly userId: string; readonly hash: string } | null>;
  /** Pages of your own in place of the built-in ones; they get the query of the built-in ones, and post the same fields. */
  readonly pages?: { readonly register?: string; readonly reset?: string; readonly password?: string };
  /** Texts of the built-in pages and messages. */
  readonly texts?: Partial<PasswordTexts>;
  /** Keeps the process alive for work after the answer, such as `waitUntil` of a serverless platform. */
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
  /** The current format first. */
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
 * @throws TypeError for an option that cannot work, by its name.
 */
export function resolveOptions(options: PasswordOptions): Settings {
  const { id = "password", name = "Password", register = {}, reset = {}, hash = scrypt(), accept = [] } = options;
  const { parallel = "auto", wait = 8, breached = pwned(), pages = {} } = options;
  if (parallel !== "auto" && !(Number.isInteger(parallel) && parallel > 0))
    throw new TypeError('Password(): `parallel` must be "auto" or a whole number above 0.');
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

function secondsOf(duration: Duration, option: string, max: Seconds): Seconds {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([smh])$/.exec(String(duration)) ?? [];
  const seconds = typeof duration === "number" ? duration : Number(amount) * (UNITS[unit ?? ""] ?? Number.NaN);
  if (seconds >= 60 && seconds <= max) return Math.round(seconds);
  throw new TypeError(`Password(): \`${option}\` must be from a minute to a day, such as "15m".`);
}

/** A link in a log signs in its readers: only where development is named. */
function printer(): PasswordOptions["mail"] {
  const process: unknown = Reflect.get(globalThis, "process");
  const env: unknown = typeof process === "object" && process !== null ? Reflect.get(process, "env") : undefined;
  const mode: unknown = typeof env === "object" && env !== null ? Reflect.get(env, "NODE_ENV") : undefined;
  if (mode !== "development") return undefined;
  return ({ to, subject, text }) => console.info(`E-mail to ${to}: ${subject}\n\n${text}`);
}
