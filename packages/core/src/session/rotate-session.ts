import { callAdapter } from "../application/call-adapter.ts";
import { randomUuid } from "../crypto/primitives.ts";
import type { SessionFacts } from "../model/session-facts.ts";
import { readSessionName } from "../protocol/session-token.ts";
import { tellExtensions } from "./check-found.ts";
import { foundOf as foundInDatabase, lifeOf, undo } from "./database-strategy.ts";
import { openToken } from "./open-token.ts";
import { prepare } from "./prepare-token.ts";
import { writeSessionCookies } from "./session-cookie.ts";
import { createToken, findSession, recordOf } from "./session-record.ts";
import type { SessionContext } from "./strategy.ts";

/** Makes the new facts of what was stored: the claim, or what the token of a record names. */
type Change = (facts: unknown) => SessionFacts;

/**
 * Replaces the token of the session by a new one with other facts. The former token is no session any more; extensions are told of its
 * `jti` before the new one is handed out.
 *
 * @returns false when there is no session.
 * @throws JWTSessionError, AdapterError, and what an extension throws: the session stays as it was then.
 */
export function rotateSession(context: SessionContext, change: Change): Promise<boolean> {
  return context.config.session.strategy === "jwt" ? rotateToken(context, change) : rotateRecord(context, change);
}

async function rotateToken(context: SessionContext, change: Change): Promise<boolean> {
  const opened = await openToken(context, "look");
  if (opened === null) return false;
  const { claims } = opened;
  const facts = change(opened.facts);
  const { commit, found, expires } = await prepare(context, { ...claims, jti: randomUuid() }, facts);
  await tellExtensions(context, found, { cause: "rotation", expires, account: undefined, replaces: claims.jti, facts });
  commit();
  return true;
}

/** The new record is there before the former one goes, so that a failure in between signs no one out. */
async function rotateRecord(context: SessionContext, change: Change): Promise<boolean> {
  const stored = await findSession(context, "look");
  if (stored === null) return false;
  const { user, key, token: former } = stored;
  const facts = change(readSessionName(former) ?? undefined);
  const token = createToken(context, facts);
  const { life, expires } = lifeOf(context, facts);
  const record = await recordOf(context, token, user.id, expires);
  await callAdapter(context.config, "createSession", record);
  const cause = { cause: "rotation", expires, account: undefined, replaces: undefined, facts } as const;
  const told = tellExtensions(context, foundInDatabase({ token, user }), cause);
  await told.catch((error: unknown) => undo(context, record.sessionToken, error));
  await callAdapter(context.config, "deleteSession", key);
  writeSessionCookies(context, token, life);
  return true;
}
