import {
  type AdapterUser,
  type Awaitable,
  type Candidate,
  checkOptions,
  type EndedBy,
  optionRules,
  type User,
} from "@cardea/extend";
import { type SecondFactorTexts, TEXTS } from "./texts.ts";

/** When a user must prove a second factor. */
export type Requirement = "never" | "if-enrolled" | "always";

/** A kind of proof, created by `totp()`, `passkey()` or `recoveryCodes()`. */
export type Factor =
  | {
      readonly kind: "totp";
      /** Name of the application in authenticator apps. */
      readonly issuer: string;
    }
  | { readonly kind: "recovery" }
  | { readonly kind: "passkey" };

/** Argument of `require`: the user and the sign-in. */
export interface FactorSubject {
  /** The stored user. The id of a user who is about to be created is not stored yet. */
  readonly user: User | AdapterUser;
  /** The account used to sign in; undefined for an existing session. */
  readonly account: Candidate["account"] | undefined;
  /** Whether this sign-in created the user. */
  readonly isNewUser: boolean;
}

/** A change about which the user should be notified. */
export interface FactorNotice {
  /** What happened. `codes-low`: at most three recovery codes are left. */
  readonly kind: "added" | "removed" | "reset" | "codes-low";
  /** `totp`, `recovery`, or `all`. */
  readonly factor: string;
  /** Id of the user to notify. */
  readonly userId: string;
  /** Who made the change, such as the user or an administrator. */
  readonly by: EndedBy;
}

/** Settings of {@link import("./second-factor.ts").secondFactor}. */
export interface SecondFactorOptions {
  /** The kinds of proof that are offered; default: `[totp(), recoveryCodes()]`. */
  readonly factors?: readonly Factor[];
  /**
   * Determines whether a user must prove a second factor; default `"if-enrolled"`. Any unknown result counts as
   * `"always"`. If it throws, the sign-in is rejected.
   */
  readonly require?: (subject: FactorSubject) => Awaitable<Requirement>;
  /** By provider id: values of `acr` or `amr` in its verified ID token that count as a second factor. */
  readonly counts?: Readonly<Record<string, { readonly acr?: readonly string[]; readonly amr?: readonly string[] }>>;
  /**
   * Whether signing in with a passkey counts as both factors; default true. This requires user verification by PIN or
   * biometrics, which is mandatory unless the provider's `requireUserVerification` is false.
   */
  readonly passkeyIsEnough?: boolean;
  /** How many days a browser may be remembered, 1 to 400; default 30. `false` disables it. */
  readonly remember?: { readonly days: number } | false;
  /**
   * Sessions without a second factor whose user must have one, because they began before the extension was configured or
   * before the user enrolled: `"ask"` (default) requires the factor at their next read, in other processes within a minute;
   * `"keep"` accepts them.
   */
  readonly existing?: "ask" | "keep";
  /** Path of your own page, which replaces the built-in one. It receives `pending` and `error` in the query. */
  readonly page?: string;
  /** Notifies users, usually by e-mail. A failure is only logged. */
  readonly notify?: (notice: FactorNotice) => Awaitable<void>;
  /** Texts of the pages; default: English. */
  readonly texts?: Partial<SecondFactorTexts>;
}

/** Settings with their defaults. */
export interface Settings extends Required<Omit<SecondFactorOptions, "page" | "notify" | "remember" | "texts">> {
  readonly issuer: string | undefined;
  readonly hasRecovery: boolean;
  readonly hasPasskey: boolean;
  readonly rememberDays: number;
  readonly page: string | undefined;
  readonly notify: SecondFactorOptions["notify"];
  readonly texts: SecondFactorTexts;
}

/** An authenticator app: six digits that change every 30 seconds (RFC 6238). */
export function totp(options: { readonly issuer: string }): Factor {
  return { kind: "totp", ...options };
}

/** A passkey, in addition to another first step. Requires a provider from `@cardea/providers-webauthn`. */
export function passkey(): Factor {
  return { kind: "passkey" };
}

/** Ten printable codes, each usable once. */
export function recoveryCodes(): Factor {
  return { kind: "recovery" };
}

/**
 * Fills in the defaults.
 *
 * @throws TypeError for an invalid option.
 */
export function resolveOptions(options: SecondFactorOptions): Settings {
  const { any, boolean, callable, list, object, oneOf, page: path } = optionRules;
  checkOptions("secondFactor()", options, {
    ...{ factors: list, require: callable, counts: object, passkeyIsEnough: boolean, remember: any },
    ...{ existing: oneOf("ask", "keep"), page: path, notify: callable, texts: object },
  });
  // `includes` of a text would find parts of it.
  for (const [id, rule] of Object.entries(options.counts ?? {}))
    checkOptions(`secondFactor(): \`counts.${id}\``, rule, { acr: list, amr: list });
  const factors = options.factors ?? [totp({ issuer: "" }), recoveryCodes()];
  const app = factors.find((one) => one.kind === "totp");
  if (app === undefined) {
    throw new TypeError(
      "secondFactor(): `factors` must include totp(), because users without a factor enrol an authenticator app.",
    );
  }
  const { remember = { days: 30 }, page } = options;
  const rememberDays = remember === false ? 0 : remember.days;
  const isWhole = Number.isSafeInteger(rememberDays) && rememberDays <= 400;
  if (!isWhole || (remember !== false && rememberDays < 1)) {
    throw new TypeError(
      "secondFactor(): `remember.days` must be an integer from 1 to 400; set `remember` to false to disable it.",
    );
  }
  return {
    factors,
    issuer: app.kind === "totp" ? app.issuer : undefined,
    hasRecovery: factors.some(({ kind }) => kind === "recovery"),
    hasPasskey: factors.some(({ kind }) => kind === "passkey"),
    require: options.require ?? (() => "if-enrolled"),
    counts: options.counts ?? {},
    passkeyIsEnough: options.passkeyIsEnough !== false,
    rememberDays,
    existing: options.existing ?? "ask",
    page,
    notify: options.notify,
    texts: { ...TEXTS, ...options.texts },
  };
}
