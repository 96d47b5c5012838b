import {
  type FoundSession,
  parseFacts,
  type ResolvedConfig,
  readSessionName,
  sha256,
} from "@cardea/core/extension-host";
import type { OpenedSession } from "@cardea/core/extension-kit";
import { findFacts } from "./session-info.ts";

/** The length of the hash prefix that identifies a session without an id. */
const ID_LENGTH = 22;

/**
 * The session data that extensions receive, without its token. The user's id is text, also if the database has numbers. Synchronous, except for a database session issued before
 * extensions were configured, whose id is a hash. Facts of a database session that are not in its token are looked up
 * on demand.
 */
export function openFound(config: ResolvedConfig, found: FoundSession): OpenedSession | Promise<OpenedSession> {
  return found.kind === "claims" ? fromClaims(found) : fromRecord(config, found);
}

/** SHA-256 of the token's `jti`, or of a database session's token. */
export function tokenHashOf(found: FoundSession): Promise<string> {
  return sha256(found.kind === "claims" ? (found.jti ?? "") : found.token);
}

/** The claims were encrypted by Cardea, so their shape is known. */
function fromClaims({ userId, jti, facts }: Extract<FoundSession, { kind: "claims" }>): OpenedSession {
  const { sid, at, e }: Record<string, unknown> = Object(facts);
  return {
    userId: String(userId),
    sid: typeof sid === "string" ? sid : (jti ?? ""),
    jti,
    at: typeof at === "number" ? at : undefined,
    epoch: typeof e === "number" ? e : 0,
    facts: async () => parseFacts(facts),
  };
}

type FoundByRecord = Extract<FoundSession, { kind: "record" }>;

function fromRecord(config: ResolvedConfig, found: FoundByRecord): OpenedSession | Promise<OpenedSession> {
  const { userId, token } = found;
  const name = readSessionName(token);
  if (name === null) return unnamed(found);
  const facts = async () => ({ ...name, f: [], ...(await findFacts(config, name.sid, await sha256(token))) });
  return { userId: String(userId), sid: name.sid, jti: undefined, at: name.at, epoch: name.e, facts };
}

async function unnamed({ userId, token }: FoundByRecord): Promise<OpenedSession> {
  const sid = (await sha256(`session ${token}`)).slice(0, ID_LENGTH);
  return { userId: String(userId), sid, jti: undefined, at: undefined, epoch: 0, facts: async () => null };
}
