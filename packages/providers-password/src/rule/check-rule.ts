/** Requirements for new passwords. Lengths are in Unicode code points (NIST SP 800-63B-4 §3.1.1.2). */
export interface PasswordRule {
  /** Minimum length if the password is the only factor; default 15. */
  readonly min?: number;
  /** Minimum length if a second factor is always required of the user; default 8. */
  readonly minWithSecondFactor?: number;
  /** Maximum length; default 4096. */
  readonly max?: number;
  /** Additional words that are easy to guess, such as the name of the application. */
  readonly words?: readonly string[];
}

/** Why a password is rejected. */
export type RuleVerdict = "ok" | "too-short" | "too-long" | "guessable" | "common" | "breached";

/** A rule with its defaults. */
export type ResolvedRule = Required<PasswordRule>;

/** Characters that must remain without guessable words. */
const MIN_OWN = 8;

/** Fills in the defaults. @throws TypeError for a rule below the secure minimum. */
export function resolveRule({ min = 15, minWithSecondFactor = 8, max = 4096, words = [] }: PasswordRule): ResolvedRule {
  if (!(minWithSecondFactor >= 8) || !(min >= minWithSecondFactor) || !(max >= 64) || !(max <= 4096))
    throw new TypeError(
      "Password(): `rule` must satisfy 8 <= `minWithSecondFactor` <= `min`, and 64 <= `max` <= 4096.",
    );
  return { min, minWithSecondFactor, max, words };
}

/**
 * Checks a new password, offline.
 *
 * 1. Its length is within the limits (ASVS 6.2.1, 6.2.9). No character classes are required (ASVS 6.2.5).
 * 2. It is long enough without words related to the application or user, and without repetitions (ASVS 6.2.11).
 * 3. It is not a common password (ASVS 6.2.4).
 *
 * @param min Minimum length for this user.
 * @param own Known data of the user: address, name.
 */
export async function checkRule(
  password: string,
  { max, words }: ResolvedRule,
  min: number,
  own: readonly string[],
): Promise<Exclude<RuleVerdict, "breached">> {
  if ([...password].length < min) return "too-short";
  if (isTooLong(password, { max })) return "too-long";
  if (isGuessable(password, [...words, ...own])) return "guessable";
  const { isCommon } = await import("./common-passwords.ts");
  return isCommon(password) ? "common" : "ok";
}

/** Whether a password exceeds the maximum length, for new passwords and at sign-in. */
export function isTooLong(password: string, { max }: Pick<ResolvedRule, "max">): boolean {
  return password.length > 2 * max || [...password].length > max;
}

function isGuessable(password: string, words: readonly string[]): boolean {
  const unit = smallestUnit(password.toLowerCase());
  const parts = words.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]);
  const known = [...new Set(parts.map((part) => part.toLowerCase()))].filter((part) => part.length >= 3);
  const left = known.sort((a, b) => b.length - a.length).reduce((text, part) => text.replaceAll(part, ""), unit);
  return [...left].length < MIN_OWN || new Set(left).size < 4;
}

/** Treats `abcabcabc` like `abc`. */
function smallestUnit(text: string): string {
  const period = (text + text).indexOf(text, 1);
  return text.slice(0, period);
}
