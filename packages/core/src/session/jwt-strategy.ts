import { guardOf } from "../context/create-context.ts";
import { randomUuid, sha256 } from "../crypto/primitives.ts";
import type { FlowContext } from "../model/context.ts";
import type { FoundSession } from "../model/extension-runner.ts";
import type { JWT, Session } from "../model/records.ts";
import type { SessionFacts } from "../model/session-facts.ts";
import { isSameId } from "../protocol/same-id.ts";
import { checkFound, foundOf, unavailableSession } from "./check-found.ts";
import { initialClaims, rejectEnded, runJwtCallback } from "./claims.ts";
import { exposeSession } from "./expose-session.ts";
import { commitRenewal, ownClaims, prepare } from "./prepare-token.ts";
import { decryptToken, endOf, readJwt } from "./read-jwt.ts";
import { inBrowser, rememberReplaced } from "./replaced-token.ts";
import { formerOf, withEverySession } from "./request-sessions.ts";
import { endInBrowser, receivedSessionTokens, withSessionMark } from "./session-cookie.ts";
import type { Admitted, RevokedSession, SessionRead, SessionStrategy, SignedIn } from "./strategy.ts";
import { unprovenClaim, withCurrentAddress } from "./unproven-address.ts";

/** Sessions in an encrypted cookie. Nothing is stored, and a read takes one key lookup and one decryption. */
export const jwtStrategy: SessionStrategy = withEverySession(
  withSessionMark({
    ...{ read: readJwt, find, sessionId },
    ...{ issue, update, rotate, revoke },
  }),
);

async function find(context: FlowContext): Promise<FoundSession | null> {
  const opened = await decryptToken(context, "look");
  return opened === null ? null : foundOf(opened);
}

async function sessionId(context: FlowContext): Promise<string> {
  const opened = await decryptToken(context, "look");
  return opened === null ? "" : fingerprintOf(opened.claims);
}

/** By `jti`, which does not change when a session is renewed; a custom `encode` may drop it. */
function fingerprintOf({ jti, sub = "" }: JWT): Promise<string> {
  return sha256(`session ${jti ?? sub}`);
}

async function issue(context: FlowContext, signedIn: Admitted<SignedIn>): Promise<string> {
  const { user, isNewUser, facts, identity } = signedIn;
  const { account, profile, context: own } = identity;
  const token = initialClaims(user);
  const trigger = isNewUser ? "signUp" : "signIn";
  const carried = own && { context: own };
  const outcome = await runJwtCallback(context, { token, user, account, profile, trigger, isNewUser, ...carried });
  if (outcome.kind === "ended") rejectEnded();
  const unproven = await unprovenClaim(context, signedIn);
  const { jti: _former, ...claims } = outcome.kind === "changed" ? outcome.claims : token;
  const made = { ...claims, jti: randomUuid(), ...(unproven === undefined ? {} : { unproven }) };
  const { commit, found, expires } = await prepare(context, made, facts);
  const former = formerOf(context, await jwtStrategy.findAll(context), signedIn);
  const guard = guardOf(context.config);
  if (facts !== undefined) await guard?.stored(context, found, { cause: "signin", expires, account, facts });
  commit(former);
  return fingerprintOf(made);
}

async function update(context: FlowContext, data: unknown): Promise<Session | null> {
  const opened = await decryptToken(context, "renew");
  if (opened === null) return null;
  const end = (refused?: SessionRead): null => {
    endOf(context, "renew", opened, refused);
    return null;
  };
  try {
    const refused = await checkFound(context, foundOf(opened));
    if (refused !== null) return end(refused);
    const stored = await withCurrentAddress(context, opened.claims);
    if (stored === null) return end();
    const outcome = await runJwtCallback(context, { token: stored, trigger: "update", session: data });
    if (outcome.kind === "ended" || (await withCurrentAddress(context, stored)) !== stored) return end();
    const claims = outcome.kind === "changed" ? await ownClaims(context, outcome, stored) : stored;
    const prepared = await prepare(context, claims, opened.facts);
    const session = await exposeSession(context, { token: claims }, prepared.expires, { data });
    if (!(await commitRenewal(context, prepared, "renewal"))) return null;
    if (session !== null) await context.emit("session", { session, token: claims });
    return session;
  } catch (error) {
    throw unavailableSession(error);
  }
}

async function rotate(
  context: FlowContext,
  expected: FoundSession,
  change: (facts: unknown) => SessionFacts,
): Promise<boolean> {
  const opened = await decryptToken(context, "look");
  if (opened === null || !isSame(foundOf(opened), expected)) return false;
  const { claims } = opened;
  const former = inBrowser(context, receivedSessionTokens(context), [expected]);
  const facts = change(opened.facts);
  const { commit, found, expires } = await prepare(context, { ...claims, jti: randomUuid() }, facts);
  await rememberReplaced(context, expected);
  if (former.hasEnded()) return false;
  const cause = { cause: "rotation", expires, account: undefined, replaces: claims.jti, facts } as const;
  await guardOf(context.config)?.stored(context, found, cause);
  commit({ of: former, cause: "rotation" });
  return !former.hasEnded();
}

function isSame({ userId, jti }: ReturnType<typeof foundOf>, expected: FoundSession): boolean {
  return expected.kind === "claims" && jti === expected.jti && isSameId(userId, expected.userId);
}

async function revoke(context: FlowContext): Promise<{ ended: RevokedSession | null }> {
  const opened = await decryptToken(context, "look");
  const ended = await jwtStrategy.findAll(context);
  endInBrowser(context, ended);
  return { ended: opened === null ? null : { token: opened.claims } };
}
