import { guardOf } from "../context/create-context.ts";
import { randomToken } from "../crypto/primitives.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { SessionUnavailable } from "../model/errors.ts";
import type { FoundSession } from "../model/extension-runner.ts";
import type { JWT } from "../model/records.ts";
import type { EpochSeconds, Seconds } from "../model/units.ts";
import { FACTS_CLAIM, readChecks, requireChecks } from "../protocol/session-facts.ts";
import { isSessionId, readTokenChecks } from "../protocol/session-token.ts";
import type { SessionRead } from "./strategy.ts";

/** A session that was found: the facts in its token, its lifetime, and what the extensions decide about it. */

/** The claims of a session token, without the facts. */
export interface OpenedToken {
  readonly claims: JWT;
  /** As stored; undefined for a session without facts. */
  readonly facts: unknown;
}

/**
 * A session as extensions' callers get it. One whose token names no user, as of another library, is a user of its own: two of them must not
 * see or end each other's sessions.
 */
export function foundOf({ claims: { sub, jti }, facts }: OpenedToken): Extract<FoundSession, { kind: "claims" }> {
  return { kind: "claims", userId: sub || (jti === undefined ? "" : `session ${jti}`), jti, facts };
}

/**
 * Separates the facts from the claims (docs/extensions.md#facts). Their claim is reserved, with or without extensions. A value set by the
 * application is dropped, so that facts of extensions configured later cannot be planted.
 */
export function takeOutFacts(token: JWT): OpenedToken {
  if (!(FACTS_CLAIM in token)) return { claims: token, facts: undefined };
  const { [FACTS_CLAIM]: facts, ...claims } = token;
  return { claims, facts };
}

/** Restores the facts. Any other value of the claim is dropped. */
export function putBackFacts(claims: JWT, facts: unknown): JWT {
  if (facts !== undefined) return { ...claims, [FACTS_CLAIM]: facts };
  return FACTS_CLAIM in claims ? takeOutFacts(claims).claims : claims;
}

/**
 * The initial facts of a session that has none, if they are needed. It keeps its id, by which it may be known already; the sign-in time is
 * that of the token.
 */
export function initialFactsOf({ config, now }: FlowContext, { jti = "", iat }: JWT): object | undefined {
  const isNeeded = config.extensions !== undefined || config.session.absolute !== undefined;
  const sid = isSessionId(jti) ? jti : randomToken(16);
  return isNeeded ? { sid, at: iat ?? now(), e: 0, f: [] } : undefined;
}

/** The remaining lifetime of a session, with the absolute limit; 0 if it has expired, or if the limit is no number. */
export function lifeFrom({ config, now }: FlowContext, start: EpochSeconds | undefined, maxAge: Seconds): Seconds {
  const { absolute } = config.session;
  if (absolute === undefined || start === undefined) return maxAge;
  const life = Math.min(maxAge, start + absolute - now());
  return Math.max(life, 0);
}

/** Whether a session that started then is over by the absolute limit, which may have been configured after it was issued. */
export function isOver(context: FlowContext, start: EpochSeconds | undefined): boolean {
  return lifeFrom(context, start, Number.POSITIVE_INFINITY) <= 0;
}

/** When the user signed in; undefined if unknown. */
export function startOf(facts: unknown): EpochSeconds | undefined {
  const at: unknown = Object(facts).at;
  return typeof at === "number" ? at : undefined;
}

/**
 * Whether a session is to be renewed (docs/sessions.md; docs/behaviour.md#cookies): if `updateAge` seconds or more have passed since it was
 * issued; 0 means on every read. Otherwise reading it writes nothing.
 */
export function isRenewalDue({ config, now }: Pick<FlowContext, "config" | "now">, issuedAt: EpochSeconds): boolean {
  return now() - issuedAt >= config.session.updateAge;
}

/** The checks that a session was issued under and this configuration does not make. */
export function missingChecks({ config }: FlowContext, found: FoundSession): readonly string[] {
  const named = found.kind === "claims" ? readChecks(found.facts) : readTokenChecks(found.token);
  return named.length === 0 ? named : named.filter((one) => config.extensions?.checks.includes(one) !== true);
}

/**
 * Asks the extensions about a session.
 *
 * @returns the result of a read; null for a valid session.
 * @throws SessionUnavailable.
 */
export async function checkFound(
  context: FlowContext,
  found: FoundSession,
  isFresh?: boolean,
): Promise<Exclude<SessionRead, { kind: "session" }> | null> {
  requireChecks(missingChecks(context, found));
  const { config } = context;
  const verdict = config.extensions?.checks.length ? await guardOf(config)?.check(context, found, isFresh) : "valid";
  if (verdict === undefined || verdict === "valid") return null;
  if (typeof verdict === "object" && "ask" in verdict) return { kind: "asked", ask: verdict.ask };
  return { kind: "none", ...(verdict === "ended" ? { ended: verdict } : verdict) };
}

/** The session exists or not: a callback or the database failed. */
export function unavailableSession(error: unknown): SessionUnavailable {
  if (error instanceof SessionUnavailable) return error;
  const err = toError(error);
  return new SessionUnavailable("The session could not be read. The cookie was kept; retry later.", {
    cause: { err },
  });
}
