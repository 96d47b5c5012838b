import type { OpenedSession, SessionVerdict, Tools } from "@cardea/extend";
import { ENDED } from "./known-ends.ts";
import { keysOfSession, type ProviderKeys, whyOfProvider } from "./provider-keys.ts";
import { registerOf, type SessionRegister } from "./session-register.ts";
import type { SessionSettings } from "./settings.ts";

type Verdict = SessionVerdict | Promise<SessionVerdict>;

/**
 * Checks whether a session is still active. With the log, the check usually completes synchronously, with a few lookups
 * in memory.
 *
 * @param isFresh Whether to query the store in any case, for an important action.
 * @throws if the answer is unknown; promises reject likewise.
 */
export function checkSession(settings: SessionSettings, session: OpenedSession, t: Tools, isFresh: boolean): Verdict {
  const { absolute, check } = settings;
  if (absolute !== undefined && session.at !== undefined && t.now() >= session.at + absolute) {
    return { ended: "absolute" };
  }
  if (check === "off") return "valid";
  const register = registerOf(t);
  const { freshness } = settings;
  if (check === "each" || isFresh) return askStore(register, session, t, () => freshness.serve);
  const { follower } = register;
  const source = follower?.check(freshness);
  if (source === undefined) return lookUp(register, session, t);
  return source.then(async (asked) => {
    const known = await lookUp(register, session, t);
    if (asked === undefined || known !== "valid") return known;
    return askStore(register, session, t, () => follower?.counts(freshness) === true);
  });
}

function lookUp({ known }: SessionRegister, session: OpenedSession, t: Tools): Verdict {
  const why = known.whyOf(session.sid, session.jti, session.userId, session.epoch);
  if (why !== undefined) return { ended: why };
  if (!known.hasProviderEnds) return "valid";
  const keys = keysOfSession(t, session);
  const verdict = (found: ProviderKeys | null): SessionVerdict => {
    const ended = whyOfProvider(known, found);
    return ended === undefined ? "valid" : { ended };
  };
  return keys instanceof Promise ? keys.then(verdict) : verdict(keys);
}

/**
 * One lookup per key, sent in parallel. Sessions that this process ended also count while the store is unavailable.
 *
 * @param serves Whether others are valid then.
 */
async function askStore(
  { known, stored }: SessionRegister,
  session: OpenedSession,
  t: Tools,
  serves: () => boolean,
): Promise<SessionVerdict> {
  const { sid, jti, userId, epoch } = session;
  const own = known.whyOf(sid, jti, userId, epoch);
  if (own !== undefined) return { ended: own };
  try {
    const keys = await keysOfSession(t, session);
    const [count, accountCount, ...whys] = await Promise.all([
      stored.count("epoch", userId),
      keys === null ? 0 : stored.count("idp", keys.account),
      stored.why("sid", sid),
      jti === undefined ? null : stored.why("jti", jti),
      ...(keys?.ends ?? []).map((key) => stored.why("idp", key)),
    ]);
    const why = whys.find((one) => one !== null);
    if (why !== undefined && why !== null) return { ended: why };
    if (epoch < count) return { ended: ENDED };
    return (keys?.e ?? 0) < accountCount ? { ended: "provider" } : "valid";
  } catch (error) {
    if (serves()) return "valid";
    throw error;
  }
}
