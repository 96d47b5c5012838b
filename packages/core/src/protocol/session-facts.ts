import { SessionUnavailable } from "../model/errors.ts";
import type { JWT } from "../model/records.ts";
import type { AddedFacts, Factor, SessionFacts, SessionOrigin } from "../model/session-facts.ts";
import type { EpochSeconds } from "../model/units.ts";
import { isFuture } from "./is-recent.ts";

/** More proofs than any sign-in has; the oldest are dropped first. */
const MAX_FACTORS = 16;

/** Reads the facts of a session from encrypted or signed JSON; null for any other value. Never throws. */
export function parseFacts(value: unknown): SessionFacts | null {
  const { sid, at }: Record<string, unknown> = Object(value);
  const { e, f = [], ...others } = parseAddedFacts(value);
  if (typeof sid !== "string" || sid === "" || !isTime(at) || e === undefined) return null;
  return { sid, at, e, f, ...others };
}

/** The claim of a session token that holds the facts. */
export const FACTS_CLAIM = "cardea";

/** The look-up of an address that the user has not verified; no extension has such an id. */
const ADDRESS_CHECK = "unproven address";

/** The checks that a session was issued under, in its facts: ids of extensions that check sessions. Never throws. */
export function readChecks(facts: unknown): readonly string[] {
  const { c }: Record<string, unknown> = Object(facts);
  return Array.isArray(c) ? c.filter((id) => typeof id === "string") : [];
}

/** The checks that a token was issued under, in its claims: those in its facts, and the look-up of an unverified address. */
export function claimedChecks({ [FACTS_CLAIM]: facts, unproven }: JWT): readonly string[] {
  const isUnproven = typeof unproven === "object" && unproven !== null;
  return [...readChecks(facts), ...(isUnproven ? [ADDRESS_CHECK] : [])];
}

/** Facts with the checks of this configuration, which made all of them; facts without any take no more room than before. */
export function withChecks(facts: unknown, checks: readonly string[]): unknown {
  if (facts === undefined || (checks.length === 0 && readChecks(facts).length === 0)) return facts;
  const { c: _former, ...others }: Record<string, unknown> = Object(facts);
  return checks.length === 0 ? others : { ...others, c: checks };
}

/**
 * A reader that cannot make a check that a session was issued under does not know whether the session has ended.
 *
 * @throws SessionUnavailable, which names the missing checks.
 */
export function requireChecks(missing: readonly string[]): void {
  if (missing.length === 0) return;
  throw new SessionUnavailable(
    `The session was issued under checks that this reader cannot make: ${missing.map((one) => `"${one}"`).join(", ")}. Read it with auth() of a configuration that has these extensions and the adapter.`,
    { cause: { missing } },
  );
}

/** Reads facts that an extension adds; malformed members are omitted. Never throws. */
export function parseAddedFacts(value: unknown): AddedFacts {
  const { e, f, idp, cnf }: Record<string, unknown> = Object(value);
  const origin = parseOrigin(idp);
  const jkt: unknown = Object(cnf).jkt;
  return {
    ...(isTime(e) ? { e } : {}),
    f: parseFactors(f),
    ...(origin === null ? {} : { idp: origin }),
    ...(typeof jkt === "string" ? { cnf: { jkt } } : {}),
  };
}

/**
 * Adds facts from extensions to those of a session. Proofs are merged, keeping the latest of each method. The larger epoch is
 * used. The first origin and the first key are kept; for the same origin, the larger epoch. Id and time do not change.
 */
export function joinFacts(facts: SessionFacts, ...added: readonly AddedFacts[]): SessionFacts {
  return added.reduce<SessionFacts>((joined, { e, f = [], idp, cnf }) => {
    const origin = joinOrigins(joined.idp, idp);
    const key = joined.cnf ?? cnf;
    return {
      sid: joined.sid,
      at: joined.at,
      e: Math.max(joined.e, e ?? 0),
      f: joinFactors(joined.f, f),
      ...(origin === undefined ? {} : { idp: origin }),
      ...(key === undefined ? {} : { cnf: key }),
    };
  }, facts);
}

/**
 * A proof dated in the future, by a server whose clock is ahead, is not a recent one, and does not take the place of one that is
 * given now. Its method stays.
 */
export function withoutFuture(facts: SessionFacts, now: EpochSeconds): SessionFacts {
  return { ...facts, f: facts.f.map(([method, at]) => [method, isFuture(at, now) ? 0 : at]) };
}

function joinOrigins(known: SessionOrigin | undefined, added: SessionOrigin | undefined): SessionOrigin | undefined {
  if (known === undefined || added?.e === undefined) return known ?? added;
  const isSame = known.provider === added.provider && known.iss === added.iss && known.sub === added.sub;
  return isSame ? { ...known, e: Math.max(known.e ?? 0, added.e) } : known;
}

function joinFactors(known: readonly Factor[], added: readonly Factor[]): readonly Factor[] {
  const latest = new Map<string, Factor>();
  for (const factor of [...known, ...added]) {
    const [method, at] = factor;
    const other = latest.get(method);
    if (other === undefined || other[1] <= at) latest.set(method, factor);
  }
  return [...latest.values()].slice(-MAX_FACTORS);
}

function parseFactors(value: unknown): readonly Factor[] {
  if (!Array.isArray(value)) return [];
  const given: readonly unknown[] = value;
  return given.slice(0, MAX_FACTORS).flatMap((one): Factor[] => {
    const [method, at]: readonly unknown[] = Array.isArray(one) ? one : [];
    return typeof method === "string" && isTime(at) ? [[method, at]] : [];
  });
}

function parseOrigin(value: unknown): SessionOrigin | null {
  const { provider, iss, sub, sid, e }: Record<string, unknown> = Object(value);
  if (typeof provider !== "string" || typeof sub !== "string") return null;
  return {
    provider,
    sub,
    ...(typeof iss === "string" ? { iss } : {}),
    ...(typeof sid === "string" ? { sid } : {}),
    ...(isTime(e) ? { e } : {}),
  };
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
