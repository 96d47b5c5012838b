import { guardOf, loadMethodFor } from "../context/create-context.ts";
import { randomToken } from "../crypto/primitives.ts";
import type { Candidate } from "../model/candidate.ts";
import type { Undo } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import { AccessDenied } from "../model/errors.ts";
import type { Account, Profile, User } from "../model/records.ts";
import type { AddedFacts, SessionFacts } from "../model/session-facts.ts";
import type { LoadedMethod } from "../model/sign-in-method.ts";
import { providerOfId } from "../protocol/same-id.ts";
import { joinFacts } from "../protocol/session-facts.ts";
import type { Admitted, SignedIn } from "../session/strategy.ts";
import { initialFacts } from "./initial-facts.ts";
import { ownedAccount } from "./redirect.ts";
import type { AdmittedSignIn, Candidacy, Interruption, SignIn } from "./sign-in.ts";

/**
 * Asks every extension whether a user may have a session; without extensions, every user may. If one requires a further step, the
 * sign-in is kept until it was taken.
 *
 * @throws AccessDenied if an extension refuses; errors of extensions.
 */
export async function admit(
  context: FlowContext,
  signIn: SignIn,
  candidacy: Candidacy,
): Promise<AdmittedSignIn | Interruption> {
  const { identity, interrupted, callbackUrl, sid, attempt } = signIn;
  const answer = await ask(context, identity, { ...candidacy, callbackUrl, sid, resumed: interrupted?.facts });
  if (answer.kind === "admitted") {
    const owned = { ...identity, account: accountOf(context, identity, candidacy.user) };
    return { ...signIn, ...candidacy, identity: owned, facts: answer.facts } as AdmittedSignIn;
  }
  const url = await guardOf(context.config)?.keep(context, { ...answer, identity, adds: candidacy.adds, attempt });
  return { kind: "interruption", url: url ?? `${context.baseUrl}/${answer.ask}`, code: answer.ask };
}

/**
 * Admits a user for a session requested by server code, without a sign-in.
 *
 * @param undo takes back what issuing writes.
 * @throws AccessDenied if an extension refuses or requires a further step.
 */
export async function admitUser(
  context: FlowContext,
  { user, account }: { readonly user: User; readonly account: Account },
  undo: Undo[],
): Promise<Admitted<SignedIn>> {
  const asked = { user, isNewUser: false, adds: false, callbackUrl: context.origin, sid: randomToken(16) };
  const answer = await ask(context, { account }, { ...asked, resumed: undefined });
  if (answer.kind === "admitted")
    return {
      user,
      isNewUser: false,
      facts: answer.facts,
      identity: { account: accountOf(context, { account }, user) },
      changes: { undo },
    } as Admitted<SignedIn>;
  const url = `${context.baseUrl}/${answer.ask}`;
  throw new AccessDenied(`An extension requires a further step before the session is issued: ${url}`);
}

/**
 * Whether a session may add an account or passkey to its user; null if it may.
 *
 * @param facts of the session that this sign-in is about to issue; default: the session of the request.
 */
export async function askAddition(
  context: FlowContext,
  { identity, interrupted, callbackUrl }: Pick<SignIn, "identity" | "interrupted" | "callbackUrl">,
  user: User,
  facts?: SessionFacts,
): Promise<Interruption | null> {
  const method = facts === undefined ? await loadMethodFor(context, identity.account) : undefined;
  const adds = method?.adds ?? "account";
  const given = interrupted?.facts.f ?? [];
  const addition = { callbackUrl, given, userId: String(user.id), adds, facts } as const;
  const url = await guardOf(context.config)?.mayAdd(context, addition);
  return url == null ? null : { kind: "interruption", url, code: "proof_required" };
}

/** Without a database, an account has no owner but itself. */
function accountOf({ config }: FlowContext, { account }: { readonly account: Account }, user: User): Account {
  return config.adapter === undefined ? account : ownedAccount(account, user);
}

/** The parts of an identity that extensions receive. */
type Shown = Parameters<LoadedMethod["proof"]>[0] & { readonly profile?: Profile | undefined };

interface Asked extends Candidacy {
  readonly callbackUrl: string;
  readonly sid: string;
  /** The facts collected before an extension interrupted the sign-in. */
  readonly resumed: AddedFacts | undefined;
}

type Answer =
  | { readonly kind: "admitted"; readonly facts: SessionFacts | undefined }
  /** An extension requires a further step: its action, and the candidate as it was asked about them. */
  | { readonly kind: "asked"; readonly ask: string; readonly candidate: Candidate };

async function ask(context: FlowContext, shown: Shown, { user, isNewUser, adds, ...asked }: Asked): Promise<Answer> {
  const { provider, providerAccountId, type } = shown.account;
  const account = { provider, providerAccountId, type };
  requireOwnSubject(context, account, user);
  const { sid, resumed, callbackUrl } = asked;
  const facts = await initialFacts(context, shown, { sid, userId: user.id, adds, resumed });
  const guard = guardOf(context.config);
  if (guard === undefined || facts === undefined) return { kind: "admitted", facts };
  const { profile, idToken } = shown;
  const added = adds ? { adds } : {};
  const candidate: Candidate = { user, isNewUser, account, ...added, profile, idToken, facts, callbackUrl };
  const admission = await guard.admit(context, candidate);
  if ("refuse" in admission) {
    guard.note(context.config, { kind: "signin.refused", provider, why: "AccessDenied" });
    throw new AccessDenied("An extension refused the sign-in.", { cause: { provider, reason: admission.refuse } });
  }
  if ("ask" in admission) return { kind: "asked", ask: admission.ask, candidate };
  return { kind: "admitted", facts: joinFacts(facts, ...admission.facts) };
}

/**
 * Without a database, an id that begins with the id of an OAuth or OpenID Connect provider and `|` is a user of that provider. Users can
 * often choose the id that `authorize` returns, so it must not be one of these.
 *
 * @throws AccessDenied.
 */
function requireOwnSubject(
  { config }: FlowContext,
  { type, provider }: Pick<Account, "type" | "provider">,
  { id }: User,
): void {
  const issuer = config.adapter === undefined ? providerOfId(id, config) : undefined;
  if (issuer === undefined) return;
  if (issuer === provider && (type === "oauth" || type === "oidc")) return;
  throw new AccessDenied(
    `The user's id begins with "${issuer}|", which without a database means a user of provider "${issuer}". Return another id from provider "${provider}", for example with a prefix.`,
    { cause: { provider } },
  );
}
