import { callAdapter } from "../application/call-adapter.ts";
import { randomUuid } from "../crypto/primitives.ts";
import type { AdapterSession } from "../model/adapter.ts";
import type { FoundSession } from "../model/extension-runner.ts";
import type { SessionFacts } from "../model/session-facts.ts";
import { isSameId } from "../protocol/same-id.ts";
import { readSessionName } from "../protocol/session-token.ts";
import { foundOf as foundInToken, tellExtensions } from "./check-found.ts";
import { foundOf as foundInDatabase, lifeOf, undo } from "./database-strategy.ts";
import { prepare } from "./prepare-token.ts";
import { openToken } from "./read-jwt.ts";
import { mayRenew, rememberReplaced } from "./replaced-token.ts";
import { writeSessionCookies } from "./session-cookie.ts";
import { changeMark } from "./session-mark.ts";
import { createToken, findSession, recordOf } from "./session-record.ts";
import type { SessionContext } from "./strategy.ts";

/** Computes the new facts from the stored ones: the claim, or the facts in a database token. */
type Change = (facts: unknown) => SessionFacts;

type FoundClaims = Extract<FoundSession, { kind: "claims" }>;
type FoundRecord = Extract<FoundSession, { kind: "record" }>;

/**
 * Replaces the token of a session with a new one that has other facts. The previous token becomes invalid; extensions
 * receive its `jti` before the new token is issued.
 *
 * @param expected The session. Another session in the same request, found after the first was ended, is not changed.
 * @returns false if the session does not exist or was ended in the meantime; the new token is then also invalid.
 * @throws JWTSessionError, AdapterError, and errors of extensions; the session is then unchanged.
 */
export async function rotateSession(context: SessionContext, expected: FoundSession, change: Change): Promise<boolean> {
  const isClaims = expected.kind === "claims";
  const isRotated = await (isClaims ? rotateToken(context, expected, change) : rotateRecord(context, expected, change));
  if (isRotated) changeMark(context);
  return isRotated;
}

async function rotateToken(context: SessionContext, expected: FoundClaims, change: Change): Promise<boolean> {
  const opened = await openToken(context, "look");
  if (opened === null || !isSame(foundInToken(opened), expected)) return false;
  const { claims } = opened;
  const facts = change(opened.facts);
  const { commit, found, expires } = await prepare(context, { ...claims, jti: randomUuid() }, facts);
  if (!mayRenew(context, claims)) return false;
  await rememberReplaced(context, expected);
  await tellExtensions(context, found, { cause: "rotation", expires, account: undefined, replaces: claims.jti, facts });
  commit();
  return true;
}

function isSame({ userId, jti }: FoundClaims, expected: FoundClaims): boolean {
  return jti === expected.jti && isSameId(userId, expected.userId);
}

/**
 * The new record is created before the previous one is deleted, so that a failure in between does not sign the user
 * out.
 */
async function rotateRecord(context: SessionContext, expected: FoundRecord, change: Change): Promise<boolean> {
  const stored = await findSession(context, "look");
  if (stored === null || stored.token !== expected.token) return false;
  const { user, key, token: former } = stored;
  const facts = change(readSessionName(former) ?? undefined);
  const token = createToken(context, facts);
  const { life, expires } = lifeOf(context, facts);
  const record = await recordOf(context, token, user.id, expires);
  await callAdapter(context.config, "createSession", record);
  await rememberReplaced(context, expected);
  const cause = { cause: "rotation", expires, account: undefined, replaces: undefined, facts } as const;
  const told = tellExtensions(context, foundInDatabase({ token, user }), cause).then(() =>
    replace(context, key, record),
  );
  const isReplaced = await told.catch((error: unknown) => undo(context, record.sessionToken, error));
  if (isReplaced) writeSessionCookies(context, token, life);
  return isReplaced;
}

/**
 * Deletes the previous record. If a sign-out was faster, the session has ended and the new record is also deleted. Some
 * adapters do not report whether a record existed; they are detected by how they delete the new record, and queried
 * first.
 *
 * @returns Whether the previous record existed.
 */
async function replace({ config }: SessionContext, former: string, record: AdapterSession): Promise<boolean> {
  const isThere = (await callAdapter(config, "getSessionAndUser", former)) !== null;
  if (isThere && (await callAdapter(config, "deleteSession", former)) !== null) return true;
  const isTelling = (await callAdapter(config, "deleteSession", record.sessionToken)) !== null;
  if (!isThere || isTelling) return false;
  await callAdapter(config, "createSession", record);
  return true;
}
