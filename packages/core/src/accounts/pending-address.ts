import { cancelInterrupted, type InterruptedSignIn, takeInterrupted } from "../cookies/interrupted-sign-in.ts";
import { bindingOf, forgetCookie } from "../cookies/own-cookie.ts";
import { encryptWithDestination, readMark, withDestination } from "../cookies/pending.ts";
import { randomToken, sha256Hex } from "../crypto/primitives.ts";
import { decryptCookie } from "../crypto/sealed-claims.ts";
import type { AdapterUser, VerificationToken } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { SignInContext } from "../model/callbacks.ts";
import type { Undo } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import { AccountNotLinked } from "../model/errors.ts";
import type { EmailIdentity, OAuthIdentity } from "../model/identity.ts";
import type { AddressProvider } from "../model/resolved-provider.ts";
import type { Cookie } from "../model/result.ts";
import { type EpochSeconds, PENDING_SIGN_IN_LIFETIME } from "../model/units.ts";
import { withLifetime } from "../protocol/cookie-attributes.ts";
import { valuesOf } from "../protocol/cookie-values.ts";
import { isSameAddress } from "../protocol/email-address.ts";
import { isSameId } from "../protocol/same-id.ts";
import { parseContext, writeContext } from "../protocol/sign-in-context.ts";
import { addressProviders, isAddressProven } from "../session/unproven-address.ts";
import { callAdapter } from "./call-adapter.ts";
import { consumeToken } from "./consume-token.ts";
import { findUserByAddress } from "./find-user.ts";
import { parseWaiting, type WaitingAccount, waitingAccount, writeWaiting } from "./waiting-account.ts";

/**
 * A sign-in that waits for the owner of an address, whose user may be someone else's: the proof of the opened link, or the account whose
 * provider vouches for the address. The page `confirm-address` asks. The browser stores the content in the encrypted cookie `address`; the
 * server stores its hash as a verification token. Both are bound to the user, the address and the provider, and valid for 15 minutes.
 */
export interface PendingAddress extends InterruptedSignIn {
  /** The provider of the link; undefined if there is only the word of the waiting account's provider. */
  readonly provider: AddressProvider | undefined;
  /** The account that waits for the decision; undefined if only a link was opened. */
  readonly waiting: WaitingAccount | undefined;
  /** Whether the provider of the waiting account is the authority for the address. */
  readonly ownsAddress: boolean;
  readonly userId: string;
  readonly email: string;
  /** The address as it is stored, where the adapter shows it. */
  readonly spelling: string;
  /** When the link was sent, or the provider vouched for the address. */
  readonly provenAt: Date;
  /** Destination after sign-in; validated. */
  readonly callbackUrl: string;
  /** Own data of the application. */
  readonly context: SignInContext | undefined;
}

const SEALED = { cookie: "address", purpose: "address" } as const;

/** The existing user with an address that a link, or the word of a provider, has just proven. The user may belong to someone else. */
interface UnprovenUser {
  readonly unproven: AdapterUser;
  readonly identity: EmailIdentity | OAuthIdentity;
  /** Whether the provider of an account is the authority for the address. */
  readonly ownsAddress: boolean;
}

/**
 * Stores a proof: its hash in the database, the rest in the jar. A browser has one at a time; the ones that it replaces end. The proof of a
 * link that was requested on the page keeps the account that waits there.
 *
 * @param undo restores what this one replaces.
 * @throws AdapterError; AccountNotLinked if the database cannot store the question about an account.
 */
export async function storePendingAddress(
  context: FlowContext,
  { unproven: owner, identity, ownsAddress }: UnprovenUser,
  callbackUrl: string,
  undo: Undo[],
): Promise<void> {
  const isLink = identity.kind === "email";
  const provider = isLink ? identity.provider : undefined;
  const email = isLink ? identity.account.providerAccountId : (identity.user.email ?? "");
  const provenAt = isLink ? identity.provenAt.getTime() : context.now() * 1000;
  const replaced = await replacePending(context, owner, identity.startedFor, undo);
  const waiting = isLink ? replaced?.waiting : waitingAccount(context.config, identity);
  const token = randomToken();
  const until = context.now() + PENDING_SIGN_IN_LIFETIME;
  const user = String(owner.id);
  const record = { ...(await keyOf(provider, { token, user, email })), expires: new Date(until * 1000) };
  const isStored = callAdapter(context.config, "createVerificationToken", record);
  await (isLink ? isStored : isStored.catch((error: unknown) => cannotAsk(context, identity.account.provider, error)));
  const value = await encryptWithDestination(
    context,
    {
      token,
      user,
      email,
      spelling: isSameAddress(owner.email ?? "", email) ? (owner.email ?? "") : "",
      provenAt: String(provenAt),
      until: String(until),
      callbackUrl,
      context: writeContext(identity.context),
      ...(waiting && { waiting: writeWaiting(waiting) }),
      ...(ownsAddress && { owns: "1" }),
    },
    "callbackUrl",
    bindingOf(context, SEALED, sourceOf(provider)),
    PENDING_SIGN_IN_LIFETIME,
  );
  context.jar.set(cookieOf(context, value, until));
}

/**
 * Ends the proofs that this browser has. Returns the one on whose page the link was requested, if it belongs to the same user: its account
 * goes on waiting.
 */
async function replacePending(
  context: FlowContext,
  owner: AdapterUser,
  startedFor: string | undefined,
  undo: Undo[],
): Promise<PendingAddress | undefined> {
  let kept: PendingAddress | undefined;
  for (const pending of await readPendingAddresses(context)) {
    const isOpen = await takeInterrupted(context, pending, undo);
    if (isOpen && pending.id === startedFor && isSameId(pending.userId, owner.id)) kept = pending;
  }
  return kept;
}

/** Many applications that use OAuth alone have no table for verification tokens. */
function cannotAsk({ logger }: FlowContext, provider: string, error: unknown): never {
  logger.error(toError(error));
  throw new AccountNotLinked(
    "The e-mail address belongs to a user who never verified it, and the database could not store the question whose it is.",
    { cause: { err: toError(error), provider, reason: "email-taken" } },
  );
}

/**
 * The proofs of this browser: one, unless the cookie was sent several times, which happens if another host of the same site
 * sets one with that name. Does not tell whether they were consumed.
 */
export async function readPendingAddresses(context: FlowContext): Promise<readonly PendingAddress[]> {
  const found: PendingAddress[] = [];
  for (const sealed of valuesOf(context.cookies.address.name, context)) {
    for (const provider of [...addressProviders(context.config), undefined]) {
      const value = await decryptCookie(sealed, bindingOf(context, SEALED, sourceOf(provider)));
      const pending =
        value && (await parsePending(context, provider, { ...withDestination(context, value, "callbackUrl"), sealed }));
      if (pending) found.push(pending);
    }
  }
  return found;
}

/** The id of the proof on whose page a form was sent; undefined for any other form. */
export async function findStartedFor(
  context: FlowContext,
  fields: { get(name: string): unknown },
): Promise<string | undefined> {
  const mark = readMark(fields);
  if (mark === undefined) return undefined;
  const waiting = await readPendingAddresses(context);
  return waiting.find(({ id }) => id === mark)?.id;
}

/** A proof and its user. */
export interface FoundAddress {
  readonly pending: PendingAddress;
  readonly owner: AdapterUser;
  /** Whether the owner is the new user that this very proof created, whose session could not be issued. */
  readonly isFresh: boolean;
}

/**
 * This browser's proof and its user, who is looked up each time: they must still exist, with this address, unverified.
 *
 * @param accepts which proof is meant; another one may have been stored in another tab since.
 */
export async function findPendingAddress(
  context: FlowContext,
  accepts: (pending: PendingAddress) => boolean = () => true,
): Promise<FoundAddress | null> {
  for (const pending of await readPendingAddresses(context)) {
    if (!accepts(pending)) continue;
    const owner = await findUserByAddress(context.config, pending.spelling);
    if (owner === null) continue;
    const isFresh = isProvenBy(pending, owner);
    if (isFresh || (isSameId(owner.id, pending.userId) && !isAddressProven(owner))) return { pending, owner, isFresh };
  }
  return null;
}

/** By the time, which no other link to the address has. Some databases store it in seconds. */
function isProvenBy({ provider, userId, provenAt }: PendingAddress, { id, emailVerified }: AdapterUser): boolean {
  if (provider === undefined || isSameId(id, userId) || !(emailVerified instanceof Date)) return false;
  return Math.abs(emailVerified.getTime() - provenAt.getTime()) < 1000;
}

/** Ends the proofs of this browser. Never throws. */
export async function cancelPendingAddresses(context: FlowContext): Promise<void> {
  forgetCookie(context, "address");
  try {
    for (const pending of await readPendingAddresses(context)) await cancelInterrupted(context, pending);
  } catch (error) {
    context.logger.error(toError(error));
  }
}

/** Null if the provider that vouched for the address is no longer configured. */
async function parsePending(
  context: FlowContext,
  provider: AddressProvider | undefined,
  value: Readonly<Record<string, string>>,
): Promise<PendingAddress | null> {
  const {
    token = "",
    user = "",
    email = "",
    spelling,
    provenAt = "",
    until = "",
    callbackUrl = "",
    sealed = "",
  } = value;
  const record = { ...(await keyOf(provider, { token, user, email })), expires: new Date(Number(until) * 1000) };
  const waiting = parseWaiting(context, value.waiting);
  if (provider === undefined && waiting === undefined) return null;
  return {
    id: idOf(record),
    provider,
    waiting,
    ownsAddress: value.owns === "1",
    userId: user,
    email,
    spelling: spelling || email,
    provenAt: new Date(Number(provenAt)),
    callbackUrl,
    context: parseContext(value.context),
    ...singleUse(context, record),
    cookie: cookieOf(context, sealed, Number(until)),
  };
}

function singleUse(
  { config }: FlowContext,
  record: VerificationToken,
): Pick<InterruptedSignIn, "consume" | "storeAgain"> {
  const { identifier, token, expires } = record;
  return {
    consume: async () => (await consumeToken(config, { identifier, token })) !== null && expires.getTime() > Date.now(),
    storeAgain: async () => callAdapter(config, "createVerificationToken", record),
  };
}

function cookieOf({ cookies, now }: FlowContext, value: string, until: EpochSeconds): Cookie {
  const { name, options } = cookies.address;
  return { name, value, options: withLifetime(options, until - now(), now()) };
}

/** The identifier cannot equal an e-mail address; the token is random, so its hash needs no secret. */
async function keyOf(
  provider: AddressProvider | undefined,
  bound: Readonly<Record<"token" | "user" | "email", string>>,
) {
  const { token, user, email } = bound;
  return {
    identifier: `confirm-address:${sourceOf(provider)}`,
    token: await sha256Hex(`confirm address ${JSON.stringify([token, user, email])}`),
  };
}

/** Half of the hash is enough to tell pages apart, and does not disclose the key of a record. */
function idOf({ token }: VerificationToken): string {
  return token.slice(0, 32);
}

/** No provider has this id. */
function sourceOf(provider: AddressProvider | undefined): string {
  return provider?.id ?? ":account";
}
