import { type CsrfPair, issueCsrfToken, readCsrfPairs } from "../cookies/csrf.ts";
import type { FlowContext } from "../model/context.ts";
import { isEqualInConstantTime } from "../protocol/csrf-token.ts";
import { strategyOf } from "../session/select-strategy.ts";

/**
 * CSRF tokens and the session they belong to. A token is valid only together with the session in which it was created: one
 * from before a sign-in, or of another session, is stale, so an attacker's own pair is useless in a victim's browser.
 */

/** The token for a form: the existing one of this session, else a new one; null if CSRF protection is disabled. */
export async function csrfTokenForForm(context: FlowContext): Promise<string | null> {
  if (!context.config.csrfEnabled) return null;
  const session = await strategyOf(context.config).sessionId(context);
  const pair = (await readCsrfPairs(context)).find((one) => one.session === session);
  return pair?.token ?? issueCsrfToken(context, session);
}

/** The pairs in this browser's cookie whose token the request body repeats. */
async function repeatedPairs(context: FlowContext, given: unknown): Promise<readonly CsrfPair[]> {
  if (typeof given !== "string") return [];
  return (await readCsrfPairs(context)).filter(({ token }) => isEqualInConstantTime(given, token));
}

/** Whether a token matches this browser's cookie, for the session of this request. */
export async function isCsrfToken(context: FlowContext, given: unknown): Promise<boolean> {
  const pairs = await repeatedPairs(context, given);
  if (pairs.length === 0) return false;
  const session = await strategyOf(context.config).sessionId(context);
  return pairs.some((pair) => pair.session === session);
}

/**
 * Whether a token is genuine but belongs to a session that has ended, and no other session took its place. A sign-out form
 * that is still open then requests what has already happened.
 */
export async function isOfEndedSession(context: FlowContext, given: unknown): Promise<boolean> {
  const pairs = await repeatedPairs(context, given);
  return pairs.length > 0 && (await strategyOf(context.config).identify(context)) === null;
}
