import type { Admission, Candidate, Factor, RequestTools } from "@cardea/core/extend";
import { findEnrolment } from "./credentials.ts";
import type { Requirement, Settings } from "./options.ts";
import { isRemembered, REMEMBERED } from "./remembered.ts";

/** The action that asks. */
export const ACTION = "factor";

/** The method in a session's facts: a provider's own second factor (RFC 8176). */
const PROVIDERS = "mfa";

/** The method in a session's facts: no second factor was required when the user signed in. */
const NOT_REQUIRED = "none";

/** Methods that are a second factor of ours. */
export const PROOFS: readonly string[] = ["otp", "recovery"];

/** Methods after which a session is not asked again. */
const PASSED: readonly string[] = [...PROOFS, PROVIDERS, REMEMBERED, NOT_REQUIRED];

/** First steps beside which a passkey is another factor. */
const FIRST: readonly string[] = ["pwd", "email", "federated", "oidc"];

/** Whether the proofs of a session hold a second factor, or the fact that none was required. */
export function isPassed(factors: readonly Factor[], { passkeyIsEnough, hasPasskey }: Settings): boolean {
  const methods = factors.map(([method]) => method);
  if (methods.some((method) => PASSED.includes(method))) return true;
  const isSecond = hasPasskey && methods.some((method) => FIRST.includes(method));
  return methods.includes("passkey") && (passkeyIsEnough || isSecond);
}

/**
 * Decides whether a user signs in without a further proof.
 *
 * 1. A proof of this sign-in, or of the session that an account is added to.
 * 2. A passkey, which is two factors; a provider whose verified ID token says that it asked for one.
 * 3. A user of whom none is required, or who has none and need not.
 * 4. A remembered browser, where a factor is enrolled.
 *
 * @throws AdapterError, and what `require` throws: the sign-in is refused then.
 */
export async function admit(settings: Settings, candidate: Candidate, t: RequestTools): Promise<Admission> {
  const { user, account, isNewUser, facts } = candidate;
  const now = t.now();
  if (isPassed(facts.f, settings)) return { admit: true };
  if (isCounted(settings, candidate)) return { admit: true, facts: { f: [[PROVIDERS, now]] } };
  const requirement = parseRequirement(await settings.require({ user, account, isNewUser }));
  if (requirement === "never") return { admit: true, facts: { f: [[NOT_REQUIRED, now]] } };
  const userId = String(user.id);
  const { isEnrolled: enrolled } = await findEnrolment(settings, t, userId);
  if (!enrolled && requirement === "if-enrolled") return { admit: true, facts: { f: [[NOT_REQUIRED, now]] } };
  if (enrolled && settings.rememberDays > 0 && (await isRemembered(t, userId))) {
    return { admit: true, facts: { f: [[REMEMBERED, now]] } };
  }
  return { ask: ACTION };
}

/** Anything that is not documented is the strictest. */
export function parseRequirement(answer: unknown): Requirement {
  return answer === "never" || answer === "if-enrolled" ? answer : "always";
}

/** Only the claims of an ID token whose signature was verified (OIDC Core §2: `acr`, `amr`). */
function isCounted({ counts }: Settings, { account, idToken }: Candidate): boolean {
  const rule = Object.hasOwn(counts, account.provider) ? counts[account.provider] : undefined;
  const { acr, amr }: Record<string, unknown> = { ...idToken };
  const methods: readonly unknown[] = Array.isArray(amr) ? amr : [];
  const isClass = typeof acr === "string" && rule?.acr?.includes(acr) === true;
  return isClass || methods.some((method) => typeof method === "string" && rule?.amr?.includes(method) === true);
}
