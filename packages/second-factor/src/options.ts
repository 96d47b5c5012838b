import type { AdapterUser, Awaitable, Candidate, EndedBy, User } from "@cardea/core/extend";

/** Whether a user has to prove a second factor. */
export type Requirement = "never" | "if-enrolled" | "always";

/** A kind of proof, as `totp()`, `passkey()` and `recoveryCodes()` make it. */
export type Factor =
  | {
      readonly kind: "totp";
      /** Name of the application in authenticator apps. */
      readonly issuer: string;
    }
  | { readonly kind: "recovery" }
  | { readonly kind: "passkey" };

/** The user about whom `require` is asked. */
export interface FactorSubject {
  readonly user: User | AdapterUser;
  /** How they sign in; undefined for a session that was there before. */
  readonly account: Candidate["account"] | undefined;
  readonly isNewUser: boolean;
}

/** What a user should hear of by mail. */
export interface FactorNotice {
  /** `codes-low`: at most three recovery codes are left. */
  readonly kind: "added" | "removed" | "reset" | "codes-low";
  /** `totp`, `recovery`, or `all`. */
  readonly factor: string;
  readonly userId: string;
  readonly by: EndedBy;
}

/** Settings of {@link import("./second-factor.ts").secondFactor}. */
export interface SecondFactorOptions {
  /** The kinds of proof that are offered; default: `[totp(), recoveryCodes()]`. */
  readonly factors?: readonly Factor[];
  /** Who has to prove a second factor; default `"if-enrolled"`. Any other result counts as `"always"`, a throw refuses the sign-in. */
  readonly require?: (subject: FactorSubject) => Awaitable<Requirement>;
  /** By provider: values of `acr` or `amr` in its verified ID token that count as a second factor. */
  readonly counts?: Readonly<Record<string, { readonly acr?: readonly string[]; readonly amr?: readonly string[] }>>;
  /**
   * Whether a passkey as the first step is both factors; default true. It counts where the authenticator verified its user by a PIN or
   * biometrics, as it has to unless the provider's `requireUserVerification` is false.
   */
  readonly passkeyIsEnough?: boolean;
  /** For how many days a browser may be remembered, 1 to 400; default 30, `false` for none. */
  readonly remember?: { readonly days: number } | false;
  /** Sessions from before the extension was configured: asked at their next read (`"ask"`, default), or kept. */
  readonly existing?: "ask" | "keep";
  /** Path of your own page in place of the built-in one; it gets `pending` and `error` in its query. */
  readonly page?: string;
  /** Sends mails. A failure is logged and changes nothing. */
  readonly notify?: (notice: FactorNotice) => Awaitable<void>;
}

/** Settings with their defaults. */
export interface Settings extends Required<Omit<SecondFactorOptions, "page" | "notify" | "remember">> {
  readonly issuer: string | undefined;
  readonly hasRecovery: boolean;
  readonly hasPasskey: boolean;
  readonly rememberDays: number;
  readonly page: string | undefined;
  readonly notify: SecondFactorOptions["notify"];
}

/** An authenticator app: six digits that change every 30 seconds (RFC 6238). */
export function totp(options: { readonly issuer: string }): Factor {
  return { kind: "totp", ...options };
}

/** A passkey of the user, beside another first step. Needs a provider of `@cardea/providers-webauthn`. */
export function passkey(): Factor {
  return { kind: "passkey" };
}

/** Ten codes to print, each good once. */
export function recoveryCodes(): Factor {
  return { kind: "recovery" };
}

/**
 * Fills in the defaults.
 *
 * @throws TypeError for an option that cannot be meant.
 */
export function resolveOptions(options: SecondFactorOptions): Settings {
  const factors = options.factors ?? [totp({ issuer: "" }), recoveryCodes()];
  const app = factors.find((one) => one.kind === "totp");
  if (app === undefined) {
    throw new TypeError("secondFactor(): `factors` needs totp(): it is what a user without a factor sets up.");
  }
  const { remember = { days: 30 }, page } = options;
  const rememberDays = remember === false ? 0 : remember.days;
  const isWhole = Number.isSafeInteger(rememberDays) && rememberDays <= 400;
  if (!isWhole || (remember !== false && rememberDays < 1)) {
    throw new TypeError("secondFactor(): `remember.days` must be a whole number from 1 to 400, or `remember` false.");
  }
  if (page !== undefined && !/^\/(?![/\\])/.test(page)) {
    throw new TypeError("secondFactor(): `page` must be a path that starts with one `/`.");
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
  };
}
