import { findCsrfPair, issueCsrfToken } from "../cookies/csrf.ts";
import type { CsrfPair, FlowContext } from "../model/context.ts";
import { isEqualInConstantTime } from "../protocol/csrf-token.ts";
import { hasGoodSession } from "../session/identify-session.ts";
import { strategyOf } from "../session/select-strategy.ts";

/**
 * CSRF tokens and the session they belong to. A token is valid only together with the session in which it was created: one
 * from before a sign-in, or of another session, is stale, so an attacker's own pair is useless in a victim's browser.
 */

/** The token for a form: the existing one of this session, otherwise a new one; null if CSRF protection is disabled. */
export async function csrfTokenForForm(context: FlowContext): Promise<string | null> {
  if (!context.config.csrfEnabled) return null;
  const session = await strategyOf(context.config).sessionId(context);
  const pair = await findCsrfPair(context, (one) => one.session === session);
  return pair?.token ?? issueCsrfToken(context, session);
}

/** Whether the token of a pair is the one that the request body repeats. */
function repeats(given: unknown): (pair: CsrfPair) => boolean {
  return ({ token }) => typeof given === "string" && isEqualInConstantTime(given, token);
}

/** Whether a token matches this browser's cookie, for the session of this request. */
export async function isCsrfToken(context: FlowContext, given: unknown): Promise<boolean> {
  const isRepeated = repeats(given);
  if ((await findCsrfPair(context, isRepeated)) === undefined) return false;
  const session = await strategyOf(context.config).sessionId(context);
  return (await findCsrfPair(context, (pair) => isRepeated(pair) && pair.session === session)) !== undefined;
}

/**
 * Whether a token is genuine but belongs to a session that has ended, and no other session took its place. A sign-out
 * form that is still open then requests a sign-out that has already happened.
 */
export async function isOfEndedSession(context: FlowContext, given: unknown): Promise<boolean> {
  const isGenuine = (await findCsrfPair(context, repeats(given))) !== undefined;
  return isGenuine && !(await hasGoodSession(context));
}
