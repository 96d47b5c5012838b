import { type EpochSeconds, type Factor, isRecent, type Seconds } from "@cardea/extend";

/**
 * A kind of proof that a level accepts. `totp` includes recovery codes; `oidc` is a sign-in at a provider that reports
 * when the user authenticated.
 */
export type ProofKind = "password" | "totp" | "passkey" | "oidc" | "email";

/** The required proof and its maximum age. All members must be satisfied. */
export interface Level {
  /** Maximum age of the proof: `"15m"`, `"90s"`, `"1h"`. */
  readonly within: string;
  /** Accepted proofs; default: all except `email`. */
  readonly factors?: readonly ProofKind[];
  /** The provider must report one of these authentication context classes. */
  readonly acr?: readonly string[];
  /**
   * The user confirms the content of each action, and the passkey signs it (dynamic linking). Requires `factors:
   * ["passkey"]`, because no other proof can sign content.
   */
  readonly bind?: boolean;
}

/** A validated level. */
export interface ResolvedLevel {
  /** Maximum age of the proof. */
  readonly within: Seconds;
  /** Accepted kinds of proof. */
  readonly factors: readonly ProofKind[];
  /** Authentication context classes, of which the provider must report one (OIDC Core §2). Empty: none is required. */
  readonly acr: readonly string[];
  /** Whether a proof is valid only for the content that was confirmed. */
  readonly bind: boolean;
}

/**
 * Methods in a session's facts, by kind of proof. A `federated` sign-in is not a proof, because the provider may not
 * have prompted the user.
 */
const METHODS: Readonly<Record<ProofKind, readonly string[]>> = {
  password: ["pwd"],
  totp: ["otp", "recovery"],
  passkey: ["passkey"],
  oidc: ["oidc"],
  email: ["email"],
};

const UNITS: Readonly<Record<string, Seconds>> = { s: 1, m: 60, h: 3600 };
const DEFAULT_FACTORS: readonly ProofKind[] = ["password", "totp", "passkey", "oidc"];
const MEMBERS = ["within", "factors", "acr", "bind"];

/**
 * Validates the configured levels.
 *
 * @throws TypeError for an invalid level, so that no requirement is silently ignored.
 */
export function resolveLevels(levels: Readonly<Record<string, Level>>): ReadonlyMap<string, ResolvedLevel> {
  return new Map(Object.entries(levels).map(([name, level]) => [name, resolveLevel(name, level)]));
}

function resolveLevel(name: string, level: Level): ResolvedLevel {
  const refuse = (message: string): never => {
    throw new TypeError(`stepUp(): the level "${name}" ${message}`);
  };
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(name)) refuse("has an invalid name: use a-z, 0-9 and `-`.");
  const unknown = Object.keys(level).find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined) refuse(`has "${unknown}", which is not supported: use ${MEMBERS.join(", ")}.`);
  const [, number = "", unit = ""] = /^(\d{1,6})([smh])$/.exec(level.within) ?? [];
  const within = Number(number) * (UNITS[unit] ?? 0);
  if (!(within >= 1)) refuse('requires `within`, such as "15m".');
  const { factors = DEFAULT_FACTORS, acr = [] } = level;
  if (factors.length === 0 || factors.some((kind) => !Object.hasOwn(METHODS, kind))) {
    refuse(`has invalid \`factors\`: choose from ${Object.keys(METHODS).join(", ")}.`);
  }
  if (acr.some((value) => typeof value !== "string" || !/^[\x21-\x7e]{1,255}$/.test(value))) {
    refuse("has an invalid `acr`: names must not contain spaces.");
  }
  if (level.acr !== undefined && (acr.length === 0 || !factors.includes("oidc"))) {
    refuse("has an `acr`, which requires `oidc` in `factors`.");
  }
  const { bind = false } = level;
  if (typeof bind !== "boolean") refuse("has an invalid `bind`: it must be true or false.");
  if (bind && factors.some((kind) => kind !== "passkey")) {
    refuse('has `bind`, but factors that cannot sign content: use `factors: ["passkey"]`.');
  }
  return { within, factors, acr, bind };
}

/** Maximum age of a sign-in or proof with which a sign-in method is added, without a level for changes of settings (ASVS 7.5.1). */
const ADDING: Seconds = 15 * 60;

const PROOFS: readonly string[] = Object.values(METHODS).flat();

/**
 * Whether a session may add a sign-in method: after a recent sign-in, by whatever method, or any recent proof. A level's own proofs are not
 * required: a user who has none of them could never add one.
 */
export function mayAdd(
  settings: ResolvedLevel | undefined,
  at: EpochSeconds | undefined,
  proofs: readonly Factor[],
  now: EpochSeconds,
): boolean {
  const { within } = settings ?? { within: ADDING };
  const isFresh = (time: EpochSeconds) => isRecent(time, within, now);
  return (at !== undefined && isFresh(at)) || proofs.some(([method, time]) => PROOFS.includes(method) && isFresh(time));
}

/**
 * Whether the proofs of a session meet a level. Proofs dated in the future are ignored, unless another server's
 * clock explains it. A session never meets a level with `bind`.
 */
export function isMet(
  { within, factors, acr, bind }: ResolvedLevel,
  proofs: readonly Factor[],
  now: EpochSeconds,
): boolean {
  if (bind) return false;
  const fresh = proofs.filter(([, at]) => isRecent(at, within, now)).map(([method]) => method);
  const isProven = factors.some((kind) => METHODS[kind].some((method) => fresh.includes(method)));
  return isProven && (acr.length === 0 || acr.some((value) => fresh.includes(`acr:${value}`)));
}
