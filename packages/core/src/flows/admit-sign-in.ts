import { loadRunner } from "../context/create-context.ts";
import { randomToken } from "../crypto/primitives.ts";
import type { AdapterUser } from "../model/adapter.ts";
import type { Candidate } from "../model/candidate.ts";
import type { FlowContext } from "../model/context.ts";
import { AccessDenied, AccountNotLinked } from "../model/errors.ts";
import type { Addition } from "../model/extension-runner.ts";
import type { Account, Profile, User } from "../model/records.ts";
import type { AddedFacts, SessionFacts } from "../model/session-facts.ts";
import { isSameId } from "../protocol/same-id.ts";
import { joinFacts } from "../protocol/session-facts.ts";
import type { Admitted, SignedIn } from "../session/strategy.ts";
import { findAccountOwner, findUserByAddress } from "../users/find-user.ts";
import type { Identity } from "../users/identity.ts";
import { joinPendingAddress } from "../users/join-address.ts";
import type { ResolvedUser, UnprovenUser, UserDecision } from "../users/resolved-user.ts";
import { initialFacts } from "./initial-facts.ts";
import { wayOf } from "./ways.ts";

/** How often the decision about the user of a sign-in may change before it is rejected. */
const MAX_DECISIONS = 5;

/** The result of a sign-in. */
export type AdmittedSignIn =
  | { readonly kind: "admitted"; readonly signedIn: Admitted<SignedIn>; readonly added: boolean }
  /** An extension requires a further step: its URL and action. */
  | { readonly kind: "asked"; readonly url: string; readonly ask: string }
  | ({ readonly kind: "unproven" } & UnprovenUser);

/** The state of a sign-in before an extension interrupted it. */
export interface Resumed {
  readonly userId: string | undefined;
  /** Whether an account or passkey would be added to the user. */
  readonly adds: boolean;
  /** Whether the sign-in created the user before it was interrupted. */
  readonly isNewUser: boolean;
  /** The collected proofs and other facts from extensions. */
  readonly facts: AddedFacts;
}

/**
 * Decides who signs in, asks every extension, and then writes (docs/behaviour.md#sign-in).
 *
 * 1. The decision only reads.
 * 2. An existing user is admitted before anything is written for them. If their session adds an account or passkey, every
 *    extension is then asked about that as well.
 * 3. The decision is made again. If it changed, the process starts over.
 * 4. The decision is carried out. A user who was just created, by this or a concurrent request, is admitted then.
 *
 * @param resumed Set if an extension interrupted the sign-in: the user must still be the same.
 * @throws AccessDenied if an extension refuses, or the user changed; errors of deciding and writing.
 */
export async function admitSignIn(
  context: FlowContext,
  identity: Identity,
  known: AdapterUser | null,
  callbackUrl: string,
  resumed?: Resumed,
): Promise<AdmittedSignIn> {
  const gate = createGate(context, identity, callbackUrl, resumed);
  const mayAdd = (user: User) => askAddition(context, identity, { user, callbackUrl, given: resumed?.facts.f ?? [] });
  const isNewUser = resumed?.isNewUser === true;
  const decideNow = () => (resumed ? decideResumed(context, identity, resumed) : decideAnew(context, identity));
  let decision = await (resumed ? decideNow() : decide(context, identity, known));
  for (let turn = 0; turn < MAX_DECISIONS; turn++) {
    if (decision.kind === "unproven") return decision;
    const before = decision.kind === "existing" ? await gate(decision.user, isNewUser, decision.adds === true) : null;
    if (before !== null && "url" in before) return before;
    const asked = decision.kind === "existing" && decision.adds === true ? await mayAdd(decision.user) : null;
    if (asked !== null) return asked;
    const again = context.config.extensions === undefined ? decision : await decideNow();
    const resolved = isSameDecision(decision, again) ? await again.carryOut() : "changed";
    if (resolved === "changed") {
      decision = await decideNow();
      continue;
    }
    if ("unproven" in resolved) return { kind: "unproven", ...resolved };
    return finish(context, identity, resolved, before ?? (await gate(resolved.user, resolved.isNewUser, false)), gate);
  }
  throw new AccountNotLinked("The sign-in could not be completed: its user kept changing.");
}

/** Whether the session of this request may add an account or passkey to its user; null if it may. */
async function askAddition(
  context: FlowContext,
  { kind }: Identity,
  { user, ...asked }: Pick<Addition, "callbackUrl" | "given"> & { readonly user: User },
): Promise<Asked | null> {
  const runner = await loadRunner(context.config);
  const adds = kind === "webauthn" ? "passkey" : "account";
  const url = (await runner?.mayAdd(context, { ...asked, userId: String(user.id), adds })) ?? null;
  return url === null ? null : { kind: "asked", url, ask: "proof_required" };
}

/**
 * Admits a user for a session requested by server code, without a sign-in.
 *
 * @throws AccessDenied if an extension refuses or requires a further step.
 */
export async function admitUser(
  context: FlowContext,
  { user, account }: { readonly user: User; readonly account: Account },
): Promise<Admitted<SignedIn>> {
  const gate = createGate(context, { account, profile: undefined }, context.origin);
  const passed = await gate(user, false, false);
  if ("url" in passed)
    throw new AccessDenied(`An extension requires a further step before the session is issued: ${passed.url}`);
  return admit({ user, account, profile: undefined, isNewUser: false, facts: passed.facts });
}

/** Marks a sign-in as admitted. This is the only place that may do so. */
function admit(signedIn: SignedIn): Admitted<SignedIn> {
  return signedIn as Admitted<SignedIn>;
}

type Decided = Exclude<UserDecision, { readonly kind: "unproven" }>;

async function finish(
  context: FlowContext,
  { account, stored, profile, context: own }: Pick<Identity, "account" | "stored" | "profile" | "context">,
  resolved: ResolvedUser,
  passed: Passed | Asked,
  gate: Gate,
): Promise<AdmittedSignIn> {
  const { user, isNewUser, added = false } = resolved;
  const isOther = "userId" in passed && !isSameId(passed.userId, user.id) && passed.userId !== user.id;
  const final = isOther ? await gate(user, isNewUser, added) : passed;
  if ("url" in final) return final;
  const joined = await joinPendingAddress(context, resolved);
  const signedIn = admit({ user: joined, account, stored, profile, isNewUser, facts: final.facts, context: own });
  return { kind: "admitted", signedIn, added };
}

async function decideAnew(context: FlowContext, identity: Identity): Promise<UserDecision> {
  const hasDatabase = context.config.adapter !== undefined;
  return decide(context, identity, hasDatabase ? await wayOf(identity).findUser(context, identity) : null);
}

/**
 * The decision after an extension interrupted the sign-in. The user, and what the sign-in would add, must be unchanged,
 * because the user's proof was given for that. If this sign-in created the user, everything is already written.
 *
 * @throws AccessDenied if the decision changed.
 */
async function decideResumed(context: FlowContext, identity: Identity, resumed: Resumed): Promise<UserDecision> {
  const { userId, adds, isNewUser } = resumed;
  const decision = isNewUser ? await decideCreated(context, identity) : await decideAnew(context, identity);
  const isSame = decision?.kind === "existing" && isSameUser(decision.user, { id: userId });
  if (isSame && (decision.adds === true) === adds) return decision;
  throw new AccessDenied("The user of this sign-in changed while it was pending. Sign in again.");
}

/** The user created by this sign-in, if its account still belongs to them. */
async function decideCreated(context: FlowContext, identity: Identity): Promise<UserDecision | null> {
  const { kind, account } = identity;
  const find = () => findUserByAddress(context.config, account.providerAccountId);
  const user = await (kind === "email" ? find() : findAccountOwner(context, identity));
  return user && { kind: "existing", user, carryOut: async () => ({ user, isNewUser: true }) };
}

/**
 * Without a database, the identity is the user, and `token.sub` is the same at each sign-in (decisions/006). Two
 * providers may use the same id for different accounts, so the provider is part of the user's id. A provider id cannot
 * contain a `|`, so the combination is unambiguous. An id returned by `authorize` is the application's own and is not
 * changed; {@link requireOwnSubject} rejects one that is the id of a provider's user.
 */
async function decide(context: FlowContext, identity: Identity, known: AdapterUser | null): Promise<UserDecision> {
  if (context.config.adapter !== undefined) return wayOf(identity).decideUser(context, identity, known);
  const { kind, user, account } = identity;
  const id = `${account.provider}|${account.providerAccountId}`;
  const own = kind === "oauth" ? { ...user, id } : user;
  return { kind: "existing", user: own, carryOut: async () => ({ user: own, isNewUser: false }) };
}

/**
 * Without a database, an id that begins with the id of an OAuth or OpenID Connect provider and `|` is a user of that provider. Users can
 * often choose the id that `authorize` returns, so it must not be one of these.
 *
 * @throws AccessDenied.
 */
function requireOwnSubject({ config }: FlowContext, { type, provider }: Account, { id }: User): void {
  const [issuer, ...rest] = String(id).split("|");
  if (config.adapter !== undefined || rest.length === 0 || config.providers.get(issuer ?? "")?.kind !== "oauth") return;
  if (issuer === provider && (type === "oauth" || type === "oidc")) return;
  throw new AccessDenied(
    `The user's id begins with "${issuer}|", which without a database means a user of provider "${issuer}". Return another id from provider "${provider}", for example with a prefix.`,
    { cause: { provider } },
  );
}

function isSameDecision(one: Decided, other: UserDecision): other is Decided {
  if (one === other) return true;
  if (one.kind === "new" || other.kind !== "existing") return one.kind === other.kind;
  return one.kind === "existing" && isSameUser(one.user, other.user) && one.adds === other.adds;
}

function isSameUser(one: User, other: User): boolean {
  return one.id === other.id || isSameId(one.id, other.id);
}

/** A user who may receive a session. */
interface Passed {
  readonly userId: string | undefined;
  readonly facts: SessionFacts | undefined;
}

type Asked = Extract<AdmittedSignIn, { readonly kind: "asked" }>;
type Gate = (user: User | AdapterUser, isNewUser: boolean, adds: boolean) => Promise<Passed | Asked>;

/** The parts of an identity that extensions receive. */
interface Shown {
  readonly account: Account;
  readonly profile?: Profile | undefined;
  readonly idToken?: Profile | undefined;
  readonly userVerified?: boolean | undefined;
}

/**
 * Asks the extensions about one user; without extensions, all users are admitted. If an extension requires a further
 * step, a sign-in with a proven identity is stored.
 */
function createGate(
  context: FlowContext,
  identity: Shown & { readonly kind?: Identity["kind"] },
  callbackUrl: string,
  resumed?: Resumed,
): Gate {
  const sid = randomToken(16);
  const { provider, providerAccountId, type } = identity.account;
  const account = { provider, providerAccountId, type };
  return async (user, isNewUser, adds) => {
    requireOwnSubject(context, account, user);
    const starting = { sid, userId: user.id, adds, resumed: resumed?.facts };
    const facts = await initialFacts(context, identity, starting);
    const runner = await loadRunner(context.config);
    if (runner === undefined || facts === undefined) return { userId: user.id, facts };
    const { profile, idToken } = identity;
    const added = adds ? { adds } : {};
    const candidate: Candidate = { user, isNewUser, account, ...added, profile, idToken, facts, callbackUrl };
    const admission = await runner.admit(context, candidate);
    if ("refuse" in admission) {
      runner.note(context.config, { kind: "signin.refused", provider, why: "AccessDenied" });
      throw new AccessDenied(`An extension refused the sign-in: ${admission.refuse}`, { cause: { provider } });
    }
    if ("ask" in admission) {
      const { ask } = admission;
      const isKept = identity.kind !== undefined;
      const url = isKept ? runner.keep(context, { ask, identity, candidate, adds }) : `${context.baseUrl}/${ask}`;
      return { kind: "asked", url: await url, ask };
    }
    return { userId: user.id, facts: joinFacts(facts, ...admission.facts) };
  };
}
