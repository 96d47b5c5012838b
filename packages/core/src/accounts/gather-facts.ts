import { APPLICATION_TIMEOUT_MS, withTimeout } from "../application/with-timeout.ts";
import { sha256 } from "../crypto/primitives.ts";
import type { AdapterUser } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import { CallbackRouteError } from "../model/errors.ts";
import type {
  CredentialsIdentity,
  EmailIdentity,
  Identity,
  OAuthIdentity,
  PasskeyIdentity,
} from "../model/identity.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { AddressProvider } from "../model/resolved-provider.ts";
import { isSameId, providerOfId } from "../protocol/same-id.ts";
import { adapterHas } from "../session/accounts.ts";
import { identifySession, type SessionIdentity } from "../session/identify-session.ts";
import { isAddressProven } from "../session/unproven-address.ts";
import { callAdapter } from "./call-adapter.ts";
import type { Facts } from "./decision-table.ts";
import { findAccountOwner, findUserByAddress } from "./find-user.ts";

/** What is known about an identity, and the users whom it concerns. */
interface Found {
  readonly facts: Facts;
  /** The user to whom it already belongs. */
  readonly owner: AdapterUser | null;
  /** The session that started the sign-in, and its user; if whose the account is must be asked, the session that is asked. */
  readonly session: UserSession | null;
  /** The user who has its address. */
  readonly holder: AdapterUser | null;
  /** Whether the provider of an account is the authority for the address. */
  readonly ownsAddress: boolean;
}

/** A session and its user. */
interface UserSession extends SessionIdentity {
  readonly user: AdapterUser;
}

const NO_FACTS = {
  owner: "none",
  isAsked: false,
  isOpen: false,
  holder: "none",
  isTrusted: false,
  canAsk: false,
  startsFresh: false,
} as const satisfies Partial<Facts>;

const NO_USERS = { owner: null, session: null, holder: null, ownsAddress: false } as const;

/** Finds the facts about an identity. Only reads. @param known the user to whom it already belongs. @throws AdapterError. */
export function gatherFacts(context: FlowContext, identity: Identity, known: AdapterUser | null): Promise<Found> {
  switch (identity.kind) {
    case "oauth":
      return findByAccount(context, identity, known);
    case "email":
      return findByProof(context, identity, known);
    case "credentials":
      return findByCredentials(context, identity);
    case "webauthn":
      return findByPasskey(context, identity, known);
  }
}

/**
 * An account at a provider. The application is asked only about a user who never verified the address.
 *
 * @param owner the user who has the account.
 */
async function findByAccount(context: FlowContext, identity: OAuthIdentity, owner: AdapterUser | null): Promise<Found> {
  const current = await findAskingSession(context, owner);
  const { choice } = identity;
  const isHere = current !== null && identity.startedIn === current.fingerprint;
  const answer = isHere && choice?.account === (await digestOf(identity)) ? choice.answer : "ask";
  // A user who signs in as someone else is not the user of this session.
  const session = answer === "switch" ? null : current;
  const isOpen = isHere && choice !== undefined;
  if (owner !== null) {
    const isAnother = session !== null && !isSameId(session.userId, owner.id);
    const facts = { ...NO_FACTS, proof: "account", owner: isAnother ? "another" : "known", isOpen } as const;
    return { ...NO_USERS, facts, owner, session: isAnother && isOpen ? session : null };
  }
  const { linkByEmail, emailClaim, startsFresh, user, spelling } = identity;
  const holder = user.email ? await findUserByAddress(context.config, spelling ?? user.email) : null;
  // A concurrent sign-in with the same account may have created the user since the account was looked up.
  const late = holder === null ? null : await findAccountOwner(context, identity);
  if (late !== null) return findByAccount(context, identity, late);
  const canAsk = emailClaim === "verified" && canStoreQuestion(context.config);
  const ownsAddress =
    canAsk && holder !== null && !isAddressProven(holder) && (await isAuthority(context, identity, holder));
  const asking = session !== null && identity.startedIn === session.fingerprint ? session : null;
  const facts = {
    ...NO_FACTS,
    proof: "account",
    isAsked: asking !== null,
    isOpen: isOpen && answer === "ask",
    holder: kindOf(holder),
    isTrusted: linkByEmail && emailClaim !== "unverified",
    canAsk,
    startsFresh: startsFresh && ownsAddress,
  } as const;
  return { facts, owner: null, session: asking, holder, ownsAddress };
}

/**
 * A proven e-mail address. What is expensive is looked up only for a user who never verified it.
 *
 * @param holder the user who has the address.
 */
async function findByProof(
  context: FlowContext,
  { provider, startsFresh }: EmailIdentity,
  holder: AdapterUser | null,
): Promise<Found> {
  const known = startsFresh ? "unverified" : kindOf(holder);
  const isOpen = holder !== null && known === "unverified" && !startsFresh;
  const isTrusted = isOpen && (await isTrustedWith(context, provider, holder));
  const facts = { ...NO_FACTS, proof: "address", holder: known, isTrusted, canAsk: true, startsFresh } as const;
  return { ...NO_USERS, facts, holder };
}

/** A passkey. It proves no address, but a new user must not claim the address of another. @param known its owner, or whom it is added to. */
async function findByPasskey(
  context: FlowContext,
  { details, user, choice }: PasskeyIdentity,
  known: AdapterUser | null,
): Promise<Found> {
  const proof = { ...NO_FACTS, proof: "passkey" } as const;
  if (details.ceremony === "authenticate") {
    const isAnother = details.signedInAs !== null && !isSameId(details.signedInAs, known?.id);
    const session = isAnother && choice !== undefined ? await findAskingSession(context, known) : null;
    const facts = { ...proof, owner: isAnother ? "another" : "known", isOpen: session !== null } as const;
    return { ...NO_USERS, facts, owner: known, session };
  }
  if (known !== null) {
    const session = { userId: known.id, fingerprint: details.session, user: known };
    return { ...NO_USERS, facts: { ...proof, isAsked: true }, session };
  }
  const holder = user.email ? await findUserByAddress(context.config, user.email) : null;
  return { ...NO_USERS, facts: { ...proof, holder: kindOf(holder) }, holder };
}

/** The user that `authorize` returned; a database session requires that the database has them. */
async function findByCredentials({ config }: FlowContext, { account }: CredentialsIdentity): Promise<Found> {
  const isStored =
    config.session.strategy === "jwt" || (await callAdapter(config, "getUser", account.providerAccountId)) !== null;
  return { ...NO_USERS, facts: { ...NO_FACTS, proof: "user", owner: isStored ? "known" : "none" } };
}

/** Names an account in an answer about it. */
export function digestOf({ account: { provider, providerAccountId } }: Identity): Promise<string> {
  return sha256(JSON.stringify(["account", provider, providerAccountId]));
}

function kindOf(holder: AdapterUser | null): Facts["holder"] {
  if (holder === null) return "none";
  return isAddressProven(holder) ? "verified" : "unverified";
}

/**
 * The session that could affect the decision; null if its user no longer exists. A session token may outlive its user, and
 * is then ignored.
 */
async function findAskingSession(context: FlowContext, owner: AdapterUser | null): Promise<UserSession | null> {
  const session = await identifySession(context, { isFresh: true });
  if (session === null) return null;
  if (owner !== null && isSameId(owner.id, session.userId)) return { ...session, user: owner };
  const user = await callAdapter(context.config, "getUser", session.userId).catch((error: unknown) => {
    // From a time without a database: a database whose ids have another type may reject such text.
    if (providerOfId(session.userId, context.config) !== undefined) return null;
    throw error;
  });
  return user === null ? null : { ...session, user };
}

/** Whether the database can store the question to the owner of an address, and the answer. */
function canStoreQuestion(config: ResolvedConfig): boolean {
  return adapterHas(config, "createVerificationToken", "useVerificationToken", "updateUser");
}

/** Whether the provider is the authority for a verified address (`ownsAddresses`). */
async function isAuthority(
  context: FlowContext,
  { account, user, profile }: OAuthIdentity,
  holder: AdapterUser,
): Promise<boolean> {
  const provider = context.config.providers.get(account.provider);
  if (provider?.kind !== "oauth" || provider.ownsAddresses === undefined) return false;
  const { id, ownsAddresses } = provider;
  const call = () => ownsAddresses(user.email ?? "", profile);
  return askOwnership(context, { name: "ownsAddresses", provider: id, call }, holder);
}

/** Whether someone takes responsibility for giving a user to the owner of the address, or nothing else could give access to them. */
async function isTrustedWith(context: FlowContext, provider: AddressProvider, holder: AdapterUser): Promise<boolean> {
  const { id, ownsAddress, allowDangerousEmailAccountLinking } = provider;
  if (allowDangerousEmailAccountLinking) return true;
  const call = () => ownsAddress?.(holder);
  if (await askOwnership(context, { name: "ownsAddress", provider: id, call }, holder)) return true;
  // Where every sign-in method proves the address, no one else can have created its user, or signed in as them.
  const isOnlyEmail = [...context.config.providers.values()].every(({ kind }) => kind === "email");
  return isOnlyEmail && !(await hasOtherMethods(context.config, holder));
}

/**
 * Asks the application, once in a request, about a user who never verified their address: whether they belong to its owner (`ownsAddress`
 * of an e-mail provider), or whether a provider is the authority for it (`ownsAddresses`). Only `true` counts; a failure is logged and does
 * not count.
 */
function askOwnership(
  context: FlowContext,
  hook: { readonly name: "ownsAddress" | "ownsAddresses"; readonly provider: string; readonly call: () => unknown },
  { id }: AdapterUser,
): Promise<boolean> {
  const { ownership } = context.state;
  const key = JSON.stringify([hook.provider, id]);
  const answer = ownership.get(key) ?? ask(context, hook);
  ownership.set(key, answer);
  return answer;
}

async function ask(
  { logger }: FlowContext,
  { name, provider, call }: Parameters<typeof askOwnership>[1],
): Promise<boolean> {
  try {
    const answer: unknown = await withTimeout(APPLICATION_TIMEOUT_MS, call());
    return answer === true;
  } catch (error) {
    const cause = { err: toError(error), provider };
    logger.error(new CallbackRouteError(`${name}() of provider "${provider}" threw.`, { cause }));
    return false;
  }
}

/** Whether the user has a sign-in method of an earlier configuration, or of the application, as far as the adapter lists them. */
export async function hasOtherMethods(config: ResolvedConfig, user: AdapterUser): Promise<boolean> {
  if (Object.entries(user).some(([name, value]) => PASSWORD_COLUMN.test(name) && Boolean(value))) return true;
  for (const list of ["listAccountsByUserId", "listAuthenticatorsByUserId", "listCredentialsByUserId"] as const) {
    const rows = adapterHas(config, list) ? await callAdapter(config, list, user.id) : [];
    // Of a credential only a password signs in; a second factor is asked for after another proof.
    if (rows.some((row) => !("version" in row) || row.type === "password")) return true;
  }
  return false;
}

/** An application may store passwords in the users table for its own sign-in. */
const PASSWORD_COLUMN = /pass|pwd|hash|secret/i;
