import type { RequestTools, User } from "@cardea/extend";
import type { Settings } from "./options.ts";
import { checkRule, type RuleVerdict } from "./rule/check-rule.ts";
import { composed } from "./spellings.ts";

/** Why a new password is rejected; shown as `error`. */
export type Refusal = Exclude<RuleVerdict, "ok"> | "unchecked";

/** The minimum length for a user. If `alwaysSecondFactor` fails, no second factor is assumed. */
export async function minFor({ rule, alwaysSecondFactor }: Settings, t: RequestTools, user: User): Promise<number> {
  try {
    return (await alwaysSecondFactor(user)) === true ? rule.minWithSecondFactor : rule.min;
  } catch (error) {
    t.logger.error(error instanceof Error ? error : new Error(String(error)));
    return rule.min;
  }
}

/** Checks a new password against the rule, then against breached passwords; null if it may be used. */
export async function refuseNew(
  settings: Settings,
  t: RequestTools,
  typed: string,
  user: User,
): Promise<Refusal | null> {
  const { rule, breached } = settings;
  const password = composed(typed);
  const own = [user.email ?? "", user.name ?? "", new URL(t.origin).hostname];
  const verdict = await checkRule(password, rule, await minFor(settings, t, user), own);
  if (verdict !== "ok") return verdict;
  const found = breached === false ? "unseen" : await breached(password, t);
  if (found === "unseen") return null;
  return found === "breached" ? "breached" : "unchecked";
}
