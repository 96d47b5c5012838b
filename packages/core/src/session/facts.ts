import { randomToken } from "../crypto/primitives.ts";
import type { FlowContext } from "../model/context.ts";
import type { JWT } from "../model/records.ts";
import type { EpochSeconds, Seconds } from "../model/units.ts";

/**
 * The facts of a session in its token (docs/extensions.md#facts). The claim is reserved, with and without extensions: what an
 * application puts there is dropped, so that facts of later extensions cannot have been planted.
 */
const CLAIM = "cardea";

/** The claims of a session token, without the facts. */
export interface OpenedToken {
  readonly claims: JWT;
  /** As they were sealed; undefined for a session without. */
  readonly facts: unknown;
}

/** Takes the facts out of the claims. */
export function takeOutFacts(token: JWT): OpenedToken {
  if (!(CLAIM in token)) return { claims: token, facts: undefined };
  const { [CLAIM]: facts, ...claims } = token;
  return { claims, facts };
}

/** Puts facts back; whatever the claims have there is dropped. */
export function putBackFacts(claims: JWT, facts: unknown): JWT {
  if (facts !== undefined) return { ...claims, [CLAIM]: facts };
  return CLAIM in claims ? takeOutFacts(claims).claims : claims;
}

/** The facts of a session that has none yet, where they are needed; its time is that of its token. */
export function firstFacts({ config }: FlowContext, at: EpochSeconds): object | undefined {
  const isNeeded = config.extensions !== undefined || config.session.absolute !== undefined;
  return isNeeded ? { sid: randomToken(16), at, e: 0, f: [] } : undefined;
}

/** How long a session lives from now on, with the absolute limit; 0 for one that is over. */
export function lifeFrom({ config, now }: FlowContext, start: EpochSeconds | undefined, maxAge: Seconds): Seconds {
  const { absolute } = config.session;
  return absolute === undefined || start === undefined
    ? maxAge
    : Math.max(0, Math.min(maxAge, start + absolute - now()));
}

/** When the user signed in; undefined where that is not known. */
export function startOf(facts: unknown): EpochSeconds | undefined {
  const at: unknown = Object(facts).at;
  return typeof at === "number" ? at : undefined;
}
