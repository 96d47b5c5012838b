import { loadRunner } from "../context/extension-runner.ts";
import { randomToken } from "../crypto/primitives.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import { AccessDenied, AccountNotLinked } from "../model/errors.ts";
import type { Candidate } from "../model/extension.ts";
import type { Account, Profile, User } from "../model/records.ts";
import type { Factor, SessionFacts, SessionOrigin } from "../model/session-facts.ts";
import { isSameId } from "../protocol/same-id.ts";
import { joinFacts, parseFacts } from "../protocol/session-facts.ts";
import { strategyOf } from "../session/select-strategy.ts";
import type { Admitted, SignedIn } from "../session/strategy.ts";
import type { Identity } from "../users/identity.ts";
import { joinPendingAddress } from "../users/join-address.ts";
import type { ResolvedUser, UnprovenUser, UserDecision } from "../users/resolved-user.ts";
import { wayOf } from "./ways.ts";

/** How often it may turn out that a sign-in belongs to someone else than a moment before. */
const MAX_DECISIONS = 5;

/** What a sign-in comes to. */
export type AdmittedSignIn =
  | { readonly kind: "admitted"; readonly signedIn: Admitted<SignedIn>; readonly added: boolean }
  /** An extension asks for something first: where to go. */
  | { readonly kind: "asked"; readonly url: string }
  | ({ readonly kind: "unproven" } & UnprovenUser);

/**
 * Decides who signs in, asks every extension, and then writes (docs/behaviour.md#sign-in).
 *
 * 1. The decision reads only.
 * 2. A user that exists is admitted before anything is written for them.
 * 3. The decision is taken again: where it is another one now, from the beginning.
 * 4. The decision is carried out. A user who was created just now, or who was faster in a race, is admitted then.
 *
 * @throws AccessDenied when an extension refuses; what deciding and writing throw.
 */
export async function admitSignIn(
  context: FlowContext,
  identity: Identity,
  known: AdapterUser | null,
  callbackUrl: string,
): Promise<AdmittedSignIn> {
  const gate = createGate(context, identity, callbackUrl);
  let decision = await decide(context, identity, known);
  for (let turn = 0; turn < MAX_DECISIONS; turn++) {
    if (decision.kind === "unproven") return decision;
    const before = decision.kind === "existing" ? await gate(decision.user, false, decision.adds === true) : null;
    if (before !== null && "url" in before) return before;
    const again = context.config.extensions === undefined ? decision : await decideAnew(context, identity);
    const resolved = isSameDecision(decision, again) ? await again.carryOut() : "changed";
    if (resolved === "changed") {
      decision = await decideAnew(context, identity);
      continue;
    }
    if ("unproven" in resolved) return { kind: "unproven", ...resolved };
    return finish(context, identity, resolved, before ?? (await gate(resolved.user, resolved.isNewUser, false)), gate);
  }
  throw new AccountNotLinked("The user of this sign-in changed again and again while it was being completed.");
}

/**
 * Admits a user whom no ceremony has proven, for a session that server code asks for.
 *
 * @throws AccessDenied when an extension refuses, or asks for something first.
 */
export async function admitUser(
  context: FlowContext,
  { user, account }: { readonly user: User; readonly account: Account },
): Promise<Admitted<SignedIn>> {
  const gate = createGate(context, { account, profile: undefined }, context.origin);
  const passed = await gate(user, false, false);
  if ("url" in passed) throw new AccessDenied(`An extension asks for more before this session: ${passed.url}`);
  return admit({ user, account, profile: undefined, isNewUser: false, facts: passed.facts });
}

/** What every gate let pass: this is the only place that may say so. */
function admit(signedIn: SignedIn): Admitted<SignedIn> {
  return signedIn as Admitted<SignedIn>;
}

type Decided = Exclude<UserDecision, { readonly kind: "unproven" }>;

async function finish(
  context: FlowContext,
  { account, profile }: { readonly account: Account; readonly profile?: Profile | undefined },
  resolved: ResolvedUser,
  passed: Passed | Asked,
  gate: Gate,
): Promise<AdmittedSignIn> {
  const { user, isNewUser, added = false } = resolved;
  const isOther = "userId" in passed && !isSameId(passed.userId, user.id) && passed.userId !== user.id;
  const final = isOther ? await gate(user, isNewUser, added) : passed;
  if ("url" in final) return final;
  const joined = await joinPendingAddress(context, resolved);
  const signedIn = admit({ user: joined, account, profile, isNewUser, facts: final.facts });
  return { kind: "admitted", signedIn, added };
}

async function decideAnew(context: FlowContext, identity: Identity): Promise<UserDecision> {
  const hasDatabase = context.config.adapter !== undefined;
  return decide(context, identity, hasDatabase ? await wayOf(identity).findUser(context, identity) : null);
}

/**
 * Without a database the identity is the user, and `token.sub` is the same at each sign-in (decisions/006). Two providers may
 * use one id for two accounts, so that the provider is part of the user's id. It cannot hold a `|`, so that no two pairs become
 * the same text. What `authorize` returned is the application's own id and stays.
 */
async function decide(context: FlowContext, identity: Identity, known: AdapterUser | null): Promise<UserDecision> {
  if (context.config.adapter !== undefined) return wayOf(identity).decideUser(context, identity, known);
  const { kind, user, account } = identity;
  const id = `${account.provider}|${account.providerAccountId}`;
  const own = kind === "oauth" ? { ...user, id } : user;
  return { kind: "existing", user: own, carryOut: async () => ({ user: own, isNewUser: false }) };
}

function isSameDecision(one: Decided, other: UserDecision): other is Decided {
  if (one === other) return true;
  if (one.kind === "new" || other.kind !== "existing") return one.kind === other.kind;
  return one.kind === "existing" && isSameUser(one.user, other.user) && one.adds === other.adds;
}

function isSameUser(one: User, other: User): boolean {
  return one.id === other.id || isSameId(one.id, other.id);
}

/** A user who may have a session. */
interface Passed {
  readonly userId: string | undefined;
  readonly facts: SessionFacts | undefined;
}

type Asked = Extract<AdmittedSignIn, { readonly kind: "asked" }>;
type Gate = (user: User | AdapterUser, isNewUser: boolean, adds: boolean) => Promise<Passed | Asked>;

/** Asks the extensions about one user; without extensions everyone passes. */
function createGate(
  context: FlowContext,
  identity: {
    readonly account: Account;
    readonly profile?: Profile | undefined;
    readonly idToken?: Profile | undefined;
  },
  callbackUrl: string,
): Gate {
  const sid = randomToken(16);
  const { provider, providerAccountId, type } = identity.account;
  const account = { provider, providerAccountId, type };
  return async (user, isNewUser, adds) => {
    const facts = await initialFacts(context, sid, identity, adds);
    const runner = await loadRunner(context.config);
    if (runner === undefined || facts === undefined) return { userId: user.id, facts };
    const { profile, idToken } = identity;
    const candidate: Candidate = { user, isNewUser, account, profile, idToken, facts, callbackUrl };
    const admission = await runner.admit(context, candidate);
    if ("refuse" in admission) {
      runner.note(context.config, { kind: "signin.refused", provider, why: "AccessDenied" });
      throw new AccessDenied(`An extension refused the sign-in: ${admission.refuse}`, { cause: { provider } });
    }
    if ("ask" in admission) return { kind: "asked", url: `${context.baseUrl}/${admission.ask}` };
    return { userId: user.id, facts: joinFacts(facts, ...admission.facts) };
  };
}

const METHODS = {
  credentials: "pwd",
  email: "email",
  webauthn: "passkey",
  oauth: "federated",
  oidc: "federated",
} as const;

/** What is known without any extension. A way in that is added proves itself only, and the session keeps what it had. */
async function initialFacts(
  context: FlowContext,
  sid: string,
  identity: { readonly account: Account; readonly idToken?: Profile | undefined },
  adds: boolean,
): Promise<SessionFacts | undefined> {
  const { extensions, session } = context.config;
  if (extensions === undefined && session.absolute === undefined) return undefined;
  const now = context.now();
  const former = adds ? await formerFacts(context) : null;
  const proof: readonly Factor[] = [[METHODS[identity.account.type], now]];
  const idp = originOf(identity);
  const facts: SessionFacts = { sid, at: former?.at ?? now, e: 0, f: former?.f ?? proof };
  return idp === null ? facts : { ...facts, idp };
}

async function formerFacts(context: FlowContext): Promise<SessionFacts | null> {
  const found = await strategyOf(context.config).find(context);
  return found?.kind === "claims" ? parseFacts(found.facts) : null;
}

function originOf({
  account,
  idToken,
}: {
  readonly account: Account;
  readonly idToken?: Profile | undefined;
}): SessionOrigin | null {
  if (account.type !== "oauth" && account.type !== "oidc") return null;
  const { iss, sub, sid }: Record<string, unknown> = { ...idToken };
  return {
    provider: account.provider,
    sub: typeof sub === "string" ? sub : account.providerAccountId,
    ...(typeof iss === "string" ? { iss } : {}),
    ...(typeof sid === "string" ? { sid } : {}),
  };
}
