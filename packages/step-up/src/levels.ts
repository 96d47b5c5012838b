import type { EpochSeconds, Factor, Seconds } from "@cardea/core/extend";

/** A kind of proof that a level may ask for. `totp` includes recovery codes; `oidc` is a provider that said when its user proved themselves. */
export type ProofKind = "password" | "totp" | "passkey" | "oidc" | "email";

/** What has to be proven, and how recently. Every member that is there has to hold. */
export interface Level {
  /** How old the proof may be: `"15m"`, `"90s"`, `"1h"`. */
  readonly within: string;
  /** Which proofs count; default: each but `email`. */
  readonly factors?: readonly ProofKind[];
  /** The provider has to name one of these authentication context classes. */
  readonly acr?: readonly string[];
  /**
   * The user confirms the content of each single action, and the passkey signs it (dynamic linking). Needs `factors: ["passkey"]`: nothing
   * else can sign a text.
   */
  readonly bind?: boolean;
}

/** A level whose time was read. */
export interface ResolvedLevel {
  readonly within: Seconds;
  readonly factors: readonly ProofKind[];
  readonly acr: readonly string[];
  readonly bind: boolean;
}

/** The methods in a session's facts, by kind. A `federated` sign-in is no proof: the provider may have asked for nothing. */
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
 * Reads the levels of a configuration.
 *
 * @throws TypeError for a level that cannot be meant, so that no requirement is lost.
 */
export function resolveLevels(levels: Readonly<Record<string, Level>>): ReadonlyMap<string, ResolvedLevel> {
  return new Map(Object.entries(levels).map(([name, level]) => [name, resolveLevel(name, level)]));
}

function resolveLevel(name: string, level: Level): ResolvedLevel {
  const refuse = (message: string): never => {
    throw new TypeError(`stepUp(): the level "${name}" ${message}`);
  };
  if (!/^[a-z][a-z0-9-]{0,31}$/.test(name)) refuse("must be named with a-z, 0-9 and `-`.");
  const unknown = Object.keys(level).find((member) => !MEMBERS.includes(member));
  if (unknown !== undefined) refuse(`has "${unknown}", which is not supported: use ${MEMBERS.join(", ")}.`);
  const [, number = "", unit = ""] = /^(\d{1,6})([smh])$/.exec(level.within) ?? [];
  const within = Number(number) * (UNITS[unit] ?? 0);
  if (!(within >= 1)) refuse('needs `within`, such as "15m".');
  const { factors = DEFAULT_FACTORS, acr = [] } = level;
  if (factors.length === 0 || factors.some((kind) => !Object.hasOwn(METHODS, kind))) {
    refuse(`needs \`factors\` out of ${Object.keys(METHODS).join(", ")}.`);
  }
  if (acr.some((value) => typeof value !== "string" || !/^[\x21-\x7e]{1,255}$/.test(value))) {
    refuse("has an `acr` that is not a name without spaces.");
  }
  if (level.acr !== undefined && (acr.length === 0 || !factors.includes("oidc"))) {
    refuse("asks for an `acr`, which only `oidc` among its `factors` can prove.");
  }
  const { bind = false } = level;
  if (typeof bind !== "boolean") refuse("needs `bind` to be true or false.");
  if (bind && factors.some((kind) => kind !== "passkey")) {
    refuse('has `bind`, and factors that cannot sign a text: use `factors: ["passkey"]`.');
  }
  return { within, factors, acr, bind };
}

/** Whether the proofs of a session meet a level. Times in the future prove nothing, and what is bound is never met by a session. */
export function isMet(
  { within, factors, acr, bind }: ResolvedLevel,
  proofs: readonly Factor[],
  now: EpochSeconds,
): boolean {
  if (bind) return false;
  const fresh = proofs.filter(([, at]) => at > now - within && at <= now).map(([method]) => method);
  const isProven = factors.some((kind) => METHODS[kind].some((method) => fresh.includes(method)));
  return isProven && (acr.length === 0 || acr.some((value) => fresh.includes(`acr:${value}`)));
}
