/** What a new password has to be. Characters are counted as users see them: Unicode code points (NIST SP 800-63B-4 §3.1.1.2). */
export interface PasswordRule {
  /** Characters at least, where the password is the only proof; default 15. */
  readonly min?: number;
  /** Characters at least, while a second factor is always required of the user; default 8. */
  readonly minWithSecondFactor?: number;
  /** Characters at most; default 4096. */
  readonly max?: number;
  /** Words that say nothing about the user but are easily guessed, such as the name of the application. */
  readonly words?: readonly string[];
}

/** Why a password is refused. */
export type RuleVerdict = "ok" | "too-short" | "too-long" | "guessable" | "common" | "breached";

/** A rule with its defaults. */
export type ResolvedRule = Required<PasswordRule>;

/** What must be left of a password without the words that are easily guessed. */
const MIN_OWN = 8;

/** Fills in the defaults. @throws TypeError for a rule below the least that is safe. */
export function resolveRule({ min = 15, minWithSecondFactor = 8, max = 4096, words = [] }: PasswordRule): ResolvedRule {
  if (!(minWithSecondFactor >= 8) || !(min >= minWithSecondFactor) || !(max >= 64) || !(max <= 4096))
    throw new TypeError("Password(): `rule` needs 8 <= `minWithSecondFactor` <= `min`, and 64 <= `max` <= 4096.");
  return { min, minWithSecondFactor, max, words };
}

/**
 * Checks a new password, offline.
 *
 * 1. Its length (ASVS 6.2.1, 6.2.9). There are no rules about which characters it has (ASVS 6.2.5).
 * 2. Without the words of the application and of the user, and without repetitions, enough is left (ASVS 6.2.11).
 * 3. It is not among the most common ones (ASVS 6.2.4).
 *
 * @param min characters at least, for this user.
 * @param own what is known of the user: the address, the name.
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

/** Whether a password has more characters than one may have: the same for a new one and at the sign-in. */
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

/** `abcabcabc` is no longer than `abc`. */
function smallestUnit(text: string): string {
  const period = (text + text).indexOf(text, 1);
  return text.slice(0, period);
}
