import { loadRunner } from "../context/extension-runner.ts";
import type { AddedFacts } from "../model/added-facts.ts";
import type { FlowContext } from "../model/context.ts";
import type { Account, Profile } from "../model/records.ts";
import type { Factor, SessionFacts, SessionOrigin } from "../model/session-facts.ts";
import { isSameId } from "../protocol/same-id.ts";
import { joinFacts, parseFacts } from "../protocol/session-facts.ts";
import { strategyOf } from "../session/select-strategy.ts";

/** Who is looked at, and by what proof. */
interface Proven {
  readonly account: Account;
  readonly idToken?: Profile | undefined;
  readonly userVerified?: boolean | undefined;
}

const METHODS = { credentials: "pwd", email: "email", oauth: "federated", oidc: "federated" } as const;

/** A passkey without verification of its user is possession of a key and no more (RFC 8176 `pop`). */
function methodOf({ account: { type }, userVerified }: Proven): string {
  if (type === "webauthn") return userVerified === true ? "passkey" : "pop";
  return METHODS[type];
}

/** What is known when a sign-in is looked at. */
interface Starting {
  /** Id of the session that it may come to. */
  readonly sid: string;
  readonly userId: string | undefined;
  /** Whether an account or passkey would be added to the user. */
  readonly adds: boolean;
  /** What was proven before an extension asked for something. */
  readonly resumed: AddedFacts | undefined;
}

/** What is known without any extension. A way in that a session adds proves itself only: the session keeps what it had, and no more. */
export async function initialFacts(
  context: FlowContext,
  proven: Proven,
  { sid, userId, adds, resumed }: Starting,
): Promise<SessionFacts | undefined> {
  const { extensions, session: settings } = context.config;
  if (extensions === undefined && settings.absolute === undefined) return undefined;
  const now = context.now();
  const session = adds ? await findAddingSession(context, userId) : null;
  const idp = session === null ? originOf(proven) : session.facts?.idp;
  const proof: readonly Factor[] = session === null && !resumed ? [[methodOf(proven), now]] : [];
  const facts: SessionFacts = { sid, at: session?.facts?.at ?? now, e: 0, f: session?.facts?.f ?? proof };
  return joinFacts(idp ? { ...facts, idp } : facts, resumed ?? {});
}

/** The session to which a way in is added. */
interface AddingSession {
  /** Null for a session that was issued before there were extensions. */
  readonly facts: SessionFacts | null;
}

/** Null where there is none: an address leads to the user then, and another user who is signed in here proves nothing for them. */
async function findAddingSession(context: FlowContext, userId: string | undefined): Promise<AddingSession | null> {
  const runner = await loadRunner(context.config);
  if (runner !== undefined) {
    const session = await runner.session(context, "");
    return session !== null && isSameId(session.userId, userId) ? { facts: await session.facts() } : null;
  }
  const found = await strategyOf(context.config).find(context);
  if (found === null || !isSameId(found.userId, userId)) return null;
  return { facts: found.kind === "claims" ? parseFacts(found.facts) : null };
}

function originOf({ account, idToken }: Proven): SessionOrigin | null {
  if (account.type !== "oauth" && account.type !== "oidc") return null;
  const { iss, sub, sid }: Record<string, unknown> = { ...idToken };
  return {
    provider: account.provider,
    sub: typeof sub === "string" ? sub : account.providerAccountId,
    ...(typeof iss === "string" ? { iss } : {}),
    ...(typeof sid === "string" ? { sid } : {}),
  };
}
