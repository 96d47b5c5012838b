import type { Admission, Candidate, Factor, RequestTools, SessionFacts } from "@cardea/extend";
import { findEnrolment } from "./credentials.ts";
import type { Requirement, Settings } from "./options.ts";
import { isRemembered, REMEMBERED } from "./remembered.ts";

/** The action that requests a second factor. */
export const ACTION = "factor";

/** Method in a session's facts: the provider verified a second factor (RFC 8176). */
const PROVIDERS = "mfa";

/**
 * Method in a session's facts: no second factor was required when the user signed in. It is not a proof: the user may have
 * enrolled one since, or be required to.
 */
const NOT_REQUIRED = "none";

/** Method in a session's facts: its user enrolled their first factor, a passkey, in it. It is a proof for no other purpose. */
const ENROLLED = "enrolled";

/** Methods that are a second factor verified by this package. */
export const PROOFS: readonly string[] = ["otp", "recovery"];

/** Methods after which a session needs no further proof. */
const PASSED: readonly string[] = [...PROOFS, PROVIDERS, REMEMBERED, ENROLLED];

/** First steps for which a passkey counts as a second factor. */
const FIRST: readonly string[] = ["pwd", "email", "federated", "oidc"];

/** Whether the session has a second factor, or its user enrolled one in it. */
export function isPassed(factors: readonly Factor[], { passkeyIsEnough, hasPasskey }: Settings): boolean {
  const methods = factors.map(([method]) => method);
  if (methods.some((method) => PASSED.includes(method))) return true;
  const isSecond = hasPasskey && methods.some((method) => FIRST.includes(method));
  return methods.includes("passkey") && (passkeyIsEnough || isSecond);
}

/**
 * Decides whether a user signs in without a further proof. Any of these suffices:
 *
 * 1. A proof in this sign-in, or in the session to which an account is added.
 * 2. A passkey, which is two factors; or a verified ID token that reports a second factor.
 * 3. No second factor is required of the user, or none is enrolled and enrolment is optional.
 * 4. A remembered browser, if a factor is enrolled.
 *
 * @throws AdapterError, and errors of `require`; the sign-in is then rejected.
 */
export async function admit(settings: Settings, candidate: Candidate, t: RequestTools): Promise<Admission> {
  const { user, account, isNewUser, facts } = candidate;
  // Where an account is added to a session, nothing of the session was proven since: it must not look recent.
  const { at } = facts;
  if (isPassed(facts.f, settings)) return { admit: true };
  if (isCounted(settings, candidate)) return { admit: true, facts: { f: [[PROVIDERS, at]] } };
  const requirement = parseRequirement(await settings.require({ user, account, isNewUser }));
  if (requirement === "never") return notRequired(facts, NOT_REQUIRED);
  const userId = String(user.id);
  const { isEnrolled: enrolled } = await findEnrolment(settings, t, userId);
  if (!enrolled && requirement === "if-enrolled") {
    // The passkey of a user without a factor is a new one.
    const isEnrolling = settings.hasPasskey && account.type === "webauthn";
    return notRequired(facts, isEnrolling ? ENROLLED : NOT_REQUIRED);
  }
  if (enrolled && settings.rememberDays > 0 && (await isRemembered(t, userId))) {
    return { admit: true, facts: { f: [[REMEMBERED, at]] } };
  }
  return { ask: ACTION };
}

/** Admits without a proof, which is noted once. */
function notRequired({ at, f }: SessionFacts, method: string): Admission {
  return f.some(([known]) => known === method) ? { admit: true } : { admit: true, facts: { f: [[method, at]] } };
}

/** Undocumented values count as the strictest requirement. */
export function parseRequirement(answer: unknown): Requirement {
  return answer === "never" || answer === "if-enrolled" ? answer : "always";
}

/** Only the claims of an ID token whose signature was verified (OIDC Core §2: `acr`, `amr`). */
function isCounted({ counts }: Settings, { account, adds, idToken }: Candidate): boolean {
  // The account is not the user's yet: someone else may have set up its second factor.
  if (adds === true) return false;
  const rule = Object.hasOwn(counts, account.provider) ? counts[account.provider] : undefined;
  const { acr, amr }: Record<string, unknown> = { ...idToken };
  const methods: readonly unknown[] = Array.isArray(amr) ? amr : [];
  const isClass = typeof acr === "string" && rule?.acr?.includes(acr) === true;
  return isClass || methods.some((method) => typeof method === "string" && rule?.amr?.includes(method) === true);
}
