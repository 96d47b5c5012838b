import { guardOf, loadMethodFor } from "../context/create-context.ts";
import type { FlowContext } from "../model/context.ts";
import type { AddedFacts, Factor, SessionFacts } from "../model/session-facts.ts";
import type { LoadedMethod } from "../model/sign-in-method.ts";
import { SIGN_IN_TIME_LIFETIME } from "../model/units.ts";
import { isSameId } from "../protocol/same-id.ts";
import { joinFacts, parseFacts, withoutFuture } from "../protocol/session-facts.ts";
import { readSessionName } from "../protocol/session-token.ts";
import { strategyOf } from "../session/select-strategy.ts";

/** The user, with the proof that was given. */
type ProvenUser = Parameters<LoadedMethod["proof"]>[0];

/** The state of a sign-in before extensions are asked. */
interface Starting {
  /** Id of the session that it may create. */
  readonly sid: string;
  readonly userId: string | undefined;
  /** Whether an account or passkey would be added to the user. */
  readonly adds: boolean;
  /** The proofs given before an extension interrupted the sign-in. */
  readonly resumed: AddedFacts | undefined;
}

/**
 * The facts without any extension. An account or passkey added in a session only proves itself; the session keeps its
 * previous facts.
 */
export async function initialFacts(
  context: FlowContext,
  proven: ProvenUser,
  { sid, userId, adds, resumed }: Starting,
): Promise<SessionFacts | undefined> {
  const { extensions, session: settings } = context.config;
  if (extensions === undefined && settings.absolute === undefined) return undefined;
  const now = context.now();
  const session = adds ? await findAddingSession(context, userId) : null;
  const given = session === null ? (await loadMethodFor(context, proven.account))?.proof(proven) : undefined;
  const idp = session === null ? given?.idp : session.facts?.idp;
  const proof: readonly Factor[] = given === undefined || resumed ? [] : [[given.method, now]];
  const kept = session?.facts ? withoutFuture(session.facts, now) : null;
  // A session without facts is older than any sign-in that counts as recent.
  const at = session === null ? now : (kept?.at ?? now - SIGN_IN_TIME_LIFETIME);
  const facts: SessionFacts = { sid, at, e: 0, f: kept?.f ?? proof };
  return joinFacts(idp ? { ...facts, idp } : facts, resumed ?? {});
}

/** The session in which an account or passkey is added. */
interface AddingSession {
  /** Null for a session issued before extensions were configured. */
  readonly facts: SessionFacts | null;
}

/**
 * Null if there is none: the address identifies the user, and a different user signed in here proves nothing for them.
 */
async function findAddingSession(context: FlowContext, userId: string | undefined): Promise<AddingSession | null> {
  const guard = guardOf(context.config);
  if (guard !== undefined) {
    const session = await guard.session(context, "", true);
    return session !== null && isSameId(session.userId, userId) ? { facts: await session.facts() } : null;
  }
  const found = await strategyOf(context.config).findSole(context);
  if (found === null || !isSameId(found.userId, userId)) return null;
  return { facts: found.kind === "claims" ? parseFacts(found.facts) : namedFacts(found.token) };
}

/** What a token of the strategy `database` contains. */
function namedFacts(token: string): SessionFacts | null {
  const name = readSessionName(token);
  return name && { ...name, f: [] };
}
