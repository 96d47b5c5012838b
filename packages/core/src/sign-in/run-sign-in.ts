import { randomToken } from "../crypto/primitives.ts";
import type { AdapterUser } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { Changes, Undo } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import { AccessDenied, AccountNotLinked, Verification } from "../model/errors.ts";
import type { Identity } from "../model/identity.ts";
import type { User } from "../model/records.ts";
import type { Answered, Finished, Proven } from "../model/sign-in-method.ts";
import { isSameId } from "../protocol/same-id.ts";
import { accountsOf, addressesOf, requireAccounts, type UserDecision } from "../session/accounts.ts";
import { strategyOf } from "../session/select-strategy.ts";
import { admit, admitUser, askAddition } from "./admit.ts";
import { issueSignIn } from "./issue.ts";
import { askSignInCallback } from "./redirect.ts";
import type { AdmittedSignIn, Candidacy, Decided, Interruption, SignIn } from "./sign-in.ts";
import { askWhose } from "./two-users.ts";

/** The destination of a sign-in. */
export interface Completed {
  readonly url: string;
  /**
   * The action of an extension that requires a further step, or `proof_required`; absent if the user is signed in, or redirected
   * elsewhere.
   */
  readonly code?: string;
  /** Id of the session that was issued; absent if none was. */
  readonly session?: string;
}

/** How often the decision about the user of a sign-in may change before it is rejected. */
const MAX_DECISIONS = 5;

/**
 * Signs in the user of a proven identity (docs/behaviour.md#sign-in). The steps are those of every sign-in method:
 *
 * 1. Permit: `callbacks.signIn`. A string redirects there without signing in.
 * 2. Decide who the user is. Only reads. The owner of an address may have to decide first.
 * 3. Admit: every extension is asked about an existing user before anything is written for them. One may require a further step.
 * 4. Decide again: if the decision changed meanwhile, steps 2 and 3 are repeated.
 * 5. Write, then check what must still hold. A user who was just created, by this or a concurrent request, is admitted now.
 * 6. Announce what was written: `createUser`, `linkAccount`, `updateUser`. Rows of the application made there are read by `callbacks.jwt`.
 * 7. Issue the session; see {@link issueSignIn}. Emits `signIn`.
 *
 * If a step fails, what was done is taken back, the last first. That is as good as the database allows: what was announced stays, and if
 * the process ends, so does what was written before; the next sign-in finds it and continues from there.
 *
 * @param prove proves the identity, or answers the request itself.
 * @throws AccessDenied, AccountNotLinked, and errors of proving, deciding, writing and issuing.
 */
export function runSignIn(context: FlowContext, prove: Prove<Proven>): Promise<Completed>;
export function runSignIn(context: FlowContext, prove: Prove<Finished>): Promise<Completed | Answered>;
export function runSignIn(context: FlowContext, prove: Prove<Finished>): Promise<Completed | Answered> {
  return withUndo(context, async (undo) => {
    const proven = await prove(undo);
    if ("result" in proven) return proven;
    const signIn: SignIn = { ...proven, sid: randomToken(16), changes: { undo, checks: [], announcements: [] } };
    const known = await permit(context, signIn);
    const admitted = isInterruption(known) ? known : await settle(context, signIn, known);
    context.step?.("sign-in decided", { provider: signIn.identity.account.provider, kind: kindOf(admitted) });
    return isInterruption(admitted) ? admitted : issueSignIn(context, admitted);
  });
}

/** Proves an identity. What that uses up goes onto the list, to be given back if the sign-in fails. */
type Prove<P> = (undo: Undo[]) => Promise<P>;

/** Issues a session that server code requested, without a sign-in. @throws errors of {@link admitUser} and of issuing. */
export function issueRequested(context: FlowContext, requested: Parameters<typeof admitUser>[1]): Promise<string> {
  return withUndo(context, async (undo) =>
    strategyOf(context.config).issue(context, await admitUser(context, requested, undo)),
  );
}

/**
 * Runs steps that write. If one fails, what the list holds is taken back, the last first. A failure to do so is logged: the caller is told
 * of the first.
 */
async function withUndo<T>(context: FlowContext, steps: (undo: Undo[]) => Promise<T>): Promise<T> {
  const undo: Undo[] = [];
  try {
    return await steps(undo);
  } catch (error) {
    const isUsedUp = isRejection(error);
    for (const { of, run } of undo.reverse()) {
      if (of === "proof" && isUsedUp) continue;
      try {
        await run();
      } catch (failure) {
        context.logger.error(toError(failure));
      }
    }
    throw error;
  }
}

/** Whether a sign-in was rejected, which uses up its proof. If that has another error as its cause, the reason may be an outage. */
function isRejection(error: unknown): boolean {
  const isOne = error instanceof AccessDenied || error instanceof AccountNotLinked || error instanceof Verification;
  return isOne && error.cause?.err === undefined;
}

/** What was decided about a sign-in, for the log. */
function kindOf(admitted: AdmittedSignIn | Interruption): string {
  if (isInterruption(admitted)) return admitted.code ?? "redirect";
  if (admitted.isNewUser) return "new-user";
  return admitted.adds ? "added" : "user";
}

function isInterruption(step: object | null | undefined): step is Interruption {
  return step != null && "kind" in step && step.kind === "interruption";
}

/** Calls `callbacks.signIn` with the user, whom it returns. After an interruption it was called before, and no user is looked up. */
async function permit(context: FlowContext, signIn: SignIn): Promise<AdapterUser | null | undefined | Interruption> {
  const { identity, interrupted } = signIn;
  if (interrupted !== undefined) return undefined;
  const known = (await accountsOf(context.config)?.find.byIdentity(identity)) ?? null;
  const url = await askSignInCallback(context, identity, known);
  return url === null ? known : { kind: "interruption", url };
}

/** Decides, admits and writes, until the decision that was admitted is the one that was carried out. */
async function settle(
  context: FlowContext,
  signIn: SignIn,
  known: AdapterUser | null | undefined,
): Promise<AdmittedSignIn | Interruption> {
  let decision = await decide(context, signIn, known);
  for (let turn = 0; turn < MAX_DECISIONS; turn++) {
    if (decision.kind === "unproven") return askOwner(context, signIn, decision.ask);
    if (decision.kind === "whose") return askUser(context, signIn, decision);
    const before = await admitExisting(context, signIn, decision);
    if (isInterruption(before)) return before;
    const again = context.config.extensions === undefined ? decision : await decide(context, signIn);
    const isSame = again === decision || isSameDecision(decision, again);
    const written = isSame ? await again.write(signIn.changes) : "changed";
    if (written !== "changed") {
      const adds = decision.kind === "existing" && decision.adds;
      return conclude(context, signIn, { ...written, adds }, before);
    }
    decision = await decide(context, signIn);
  }
  throw new AccountNotLinked("The sign-in could not be completed: its user kept changing.");
}

/**
 * Decides who signs in. Only reads. After an extension interrupted the sign-in, the user, and what would be added to them, must be
 * unchanged, because the user's proof was given for that.
 *
 * @param known the user to whom the identity belongs, if the caller has just looked.
 * @throws AccessDenied if the user of an interrupted sign-in changed; errors of the sign-in method.
 */
async function decide(
  context: FlowContext,
  { identity, interrupted }: SignIn,
  known?: AdapterUser | null,
): Promise<UserDecision> {
  const accounts = accountsOf(context.config);
  const decideAnew = async () => accounts?.decide(context, identity, known) ?? decideWithoutDatabase(identity);
  if (interrupted === undefined) return decideAnew();
  const { userId, adds, isNewUser } = interrupted;
  const decision = await (isNewUser ? decideCreated(context, identity) : decideAnew());
  const isSame = decision?.kind === "existing" && isSameUser(decision.user, { id: userId });
  if (isSame && decision.adds === adds) return decision;
  throw new AccessDenied("The user of this sign-in changed while it was pending. Sign in again.");
}

/**
 * Without a database, the identity is the user, and `token.sub` is the same at each sign-in (decisions/006). Two
 * providers may use the same id for different accounts, so the provider is part of the user's id. A provider id cannot
 * contain a `|`, so the combination is unambiguous. An id returned by `authorize` is the application's own and is not
 * changed; `admit.ts` rejects one that is the id of a provider's user.
 */
function decideWithoutDatabase({ kind, user: given, account }: Identity): UserDecision {
  const id = `${account.provider}|${account.providerAccountId}`;
  const user = kind === "oauth" ? { ...given, id } : given;
  return { kind: "existing", user, adds: false, write: async () => ({ user, isNewUser: false }) };
}

/** The user whom this sign-in created before it was interrupted, if its account still belongs to them. Everything is written. */
async function decideCreated(context: FlowContext, identity: Identity): Promise<UserDecision | null> {
  const { kind, account } = identity;
  const { find } = requireAccounts(context.config);
  const user = await (kind === "email" ? find.byAddress(account.providerAccountId) : find.byAccount(account));
  return user && { kind: "existing", user, adds: false, write: async () => ({ user, isNewUser: true }) };
}

/** Whether a decision is the one that was made before. */
function isSameDecision(one: Decided, other: UserDecision): other is Decided {
  if (one.kind === "new" || other.kind !== "existing") return one.kind === other.kind;
  return one.kind === "existing" && isSameUser(one.user, other.user) && one.adds === other.adds;
}

/** Whether two users are the same; without a database, by the id of their account. */
function isSameUser(one: User, other: User): boolean {
  return one.id === other.id || isSameId(one.id, other.id);
}

/** Admits an existing user, and asks whether their session may add an account or passkey. Null for a user who does not exist yet. */
async function admitExisting(
  context: FlowContext,
  signIn: SignIn,
  decision: Decided,
): Promise<AdmittedSignIn | Interruption | null> {
  if (decision.kind === "new") return null;
  const { user, adds } = decision;
  const admitted = await admit(context, signIn, { user, adds, isNewUser: signIn.interrupted?.isNewUser === true });
  if (isInterruption(admitted) || !adds) return admitted;
  return (await askAddition(context, signIn, user)) ?? admitted;
}

/** Checks what was written, admits a user who was not admitted before, and announces the changes. */
async function conclude(
  context: FlowContext,
  signIn: SignIn,
  candidacy: Candidacy,
  before: AdmittedSignIn | null,
): Promise<AdmittedSignIn | Interruption> {
  const { changes } = signIn;
  for (const check of changes.checks) await check();
  const isAdmitted = before !== null && (before.user === candidacy.user || isSameUser(before.user, candidacy.user));
  const admitted = isAdmitted ? { ...before, ...candidacy } : await admit(context, signIn, candidacy);
  if (isInterruption(admitted)) {
    await announce(changes);
    return admitted;
  }
  const { startedFor } = signIn.identity;
  const mayAdd = async () => (await askAddition(context, admitted, admitted.user, admitted.facts)) === null;
  const joining = { ...candidacy, startedFor, mayAdd, changes };
  const user = (await addressesOf(context)?.join(context, joining)) ?? candidacy.user;
  await announce(changes);
  return { ...admitted, user };
}

/** Tells the application what was written. From now on it stays. */
async function announce({ undo, announcements }: Changes): Promise<void> {
  const proofs = undo.filter((one) => one.of === "proof");
  undo.splice(0, undo.length, ...proofs);
  for (const tell of announcements) await tell();
}

/** Two users may share the browser: the one who uses it says whose the account is. */
async function askUser(
  context: FlowContext,
  { callbackUrl, identity }: SignIn,
  { kind: _, ...other }: Extract<UserDecision, { readonly kind: "whose" }>,
): Promise<Interruption> {
  const { provider } = identity.account;
  return { kind: "interruption", url: await askWhose(context, { ...other, provider, callbackUrl }) };
}

/** A link is consumed, and a provider's code; the proof is stored until the owner of the address has decided. */
async function askOwner(
  { baseUrl }: FlowContext,
  { callbackUrl, changes }: SignIn,
  ask: Extract<UserDecision, { kind: "unproven" }>["ask"],
): Promise<Interruption> {
  await ask(callbackUrl, changes.undo);
  return { kind: "interruption", url: `${baseUrl}/confirm-address` };
}
