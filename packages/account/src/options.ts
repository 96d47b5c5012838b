import { type AdapterUser, type Awaitable, checkOptions, optionRules, type Seconds } from "@cardea/extend";
import { type AccountTexts, defaultTexts } from "./texts.ts";

/** A message to a user. `mail` must reject if it could not be sent. The same function as for `Password()`. */
export interface AccountMail {
  /**
   * `confirm-address`: a link that proves a new address; `approve-address`: a link to the current address, whose owner agrees to the change;
   * `address-taken`: a new address that another account has; `address-changed`: to the former address, with the link that restores it;
   * `address-restored`; `method-added`; `method-removed`; `profile-changed`; `deletion-requested`; `deletion-cancelled`; `deleted`.
   */
  readonly kind: AccountMailKind;
  /** The address: a single recipient. Do not parse it as a list. */
  readonly to: string;
  /** Subject of the message. */
  readonly subject: string;
  /** Plain text, including the link. */
  readonly text: string;
  /** The link; undefined if the message has none. */
  readonly url: string | undefined;
}

/** The messages of the account page, see {@link AccountMail}. */
export type AccountMailKind = keyof AccountTexts["mails"];

/** A duration: seconds, or a string such as `"7d"`. */
export type Duration = Seconds | `${number}${"s" | "m" | "h" | "d"}`;

/** A section of the account page. `activity` is shown if an extension provides it. */
export type AccountSection = (typeof SECTIONS)[number];

/** The sections in their default order. */
const SECTIONS = ["profile", "sign-in", "passkeys", "password", "factors", "devices", "activity", "data"] as const;

/** Options of {@link import("./account.ts").account}. */
export interface AccountOptions {
  /**
   * Sends messages. If omitted, users cannot change their address, and are not told of changes; with `NODE_ENV=development`, messages are
   * printed.
   */
  readonly mail?: ((mail: AccountMail) => Awaitable<void>) | undefined;
  /** Whether a user may be deleted; asked at the request and again before the deletion. Default: every user may. */
  readonly mayRemove?: (user: AdapterUser) => Awaitable<boolean>;
  /** Change of the e-mail address. `undo`: how long the owner of the former address can restore it; default `"7d"`. */
  readonly email?: { readonly undo?: Duration };
  /** Deletion. `after`: time in which the user can cancel it; default `"14d"`. */
  readonly remove?: { readonly after?: Duration };
  /** The sections of the page, in this order; default: all. An action whose section is left out is disabled. */
  readonly sections?: readonly AccountSection[];
  /** Texts of the pages and messages; default: English. */
  readonly texts?: Partial<AccountTexts>;
  /** Keeps the process alive for work after the response, such as `waitUntil` on serverless platforms. */
  readonly after?: (work: Promise<void>) => void;
}

/** Options with their defaults. */
export interface Settings {
  readonly mail: AccountOptions["mail"];
  readonly mayRemove: (user: AdapterUser) => Awaitable<boolean>;
  readonly undo: Seconds;
  readonly removeAfter: Seconds;
  readonly sections: readonly AccountSection[];
  readonly texts: AccountTexts;
  readonly after: (work: Promise<void>) => void;
}

const DAY: Seconds = 24 * 60 * 60;
const UNITS: Readonly<Record<string, Seconds>> = { s: 1, m: 60, h: 3600, d: DAY };

/**
 * Fills in the defaults.
 *
 * @throws TypeError for an invalid option.
 */
export function resolveOptions(options: AccountOptions): Settings {
  const { callable, list, object, any } = optionRules;
  checkOptions("account()", options, {
    ...{ mail: callable, mayRemove: callable, email: object, remove: object, sections: list, texts: object },
    ...{ after: callable },
  });
  const { email = {}, remove = {}, sections = SECTIONS, mayRemove = () => true, after = () => undefined } = options;
  checkOptions("account(): `email`", email, { undo: any });
  checkOptions("account(): `remove`", remove, { after: any });
  const unknown = sections.find((name, n) => !SECTIONS.includes(name) || sections.indexOf(name) !== n);
  if (unknown !== undefined || sections.length === 0)
    throw new TypeError(`account(): \`sections\` must name each section at most once: ${SECTIONS.join(", ")}.`);
  return {
    mail: options.mail ?? printer(),
    mayRemove,
    // Shorter, and the owner of the former address would not read of it in time; longer, and the store keeps a way back for too long.
    undo: secondsOf(email.undo ?? "7d", "email.undo", DAY, 30 * DAY),
    removeAfter: secondsOf(remove.after ?? "14d", "remove.after", 0, 90 * DAY),
    sections,
    texts: { ...defaultTexts, ...options.texts, mails: { ...defaultTexts.mails, ...options.texts?.mails } },
    after,
  };
}

function secondsOf(duration: Duration, option: string, min: Seconds, max: Seconds): Seconds {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([smhd])$/.exec(String(duration)) ?? [];
  const seconds = typeof duration === "number" ? duration : Number(amount) * (UNITS[unit ?? ""] ?? Number.NaN);
  if (seconds >= min && seconds <= max) return Math.round(seconds);
  throw new TypeError(`account(): \`${option}\` must be between ${min / DAY} and ${max / DAY} days, such as "7d".`);
}

/** A logged link acts for anyone who reads the log, so this requires NODE_ENV=development. */
function printer(): AccountOptions["mail"] {
  const process: unknown = Reflect.get(globalThis, "process");
  const env: unknown = typeof process === "object" && process !== null ? Reflect.get(process, "env") : undefined;
  const mode: unknown = typeof env === "object" && env !== null ? Reflect.get(env, "NODE_ENV") : undefined;
  if (mode !== "development") return undefined;
  return ({ to, subject, text }) => console.info(`E-mail to ${to}: ${subject}\n\n${text}`);
}
