import { callAdapter } from "../application/call-adapter.ts";
import { consumeToken } from "../application/consume-token.ts";
import { sealDestination, withDestination } from "../cookies/pending.ts";
import { randomToken, sha256Hex } from "../crypto/primitives.ts";
import { openCookie } from "../crypto/sealed-claims.ts";
import type { AdapterUser, VerificationToken } from "../model/adapter.ts";
import { toError } from "../model/auth-error.ts";
import type { SignInContext } from "../model/callbacks.ts";
import type { Undo } from "../model/changes.ts";
import type { FlowContext } from "../model/context.ts";
import { AccountNotLinked } from "../model/errors.ts";
import type { AddressProvider } from "../model/resolved-provider.ts";
import { PENDING_SIGN_IN_LIFETIME } from "../model/units.ts";
import { valuesOf } from "../protocol/cookie-values.ts";
import { isSameAddress } from "../protocol/email-address.ts";
import { isSameId } from "../protocol/same-id.ts";
import { parseContext, writeContext } from "../protocol/sign-in-context.ts";
import type { UnprovenUser } from "../session/accounts.ts";
import { addressProviders, isAddressProven } from "../session/unproven-address.ts";
import { findUserByAddress } from "./find-user.ts";
import { parseWaiting, type WaitingAccount, waitingAccount, writeWaiting } from "./waiting-account.ts";

/**
 * The proof of an address whose user may be someone else's, stored from the opened link, or from the sign-in with a provider that
 * vouches for the address, until the decision on the page `confirm-address`. The browser stores it in the encrypted cookie `address`;
 * the server stores its hash as a verification token, which can be consumed once. Both are bound to the user, the address and the
 * provider, and are valid for 15 minutes.
 */
export interface PendingAddress {
  /** The provider of the link; undefined if there is only the word of the waiting account's provider. */
  readonly provider: AddressProvider | undefined;
  /** The account that waits for the decision; undefined if only a link was opened. */
  readonly waiting: WaitingAccount | undefined;
  /** Whether the provider of the waiting account is the authority for the address. */
  readonly ownsAddress: boolean;
  /** Identifies the page of this decision: a sign-in that was started there carries it (`ClaimedIdentity.startedFor`). */
  readonly mark: string;
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
  /** The verification token. */
  readonly record: VerificationToken;
}

/**
 * Stores a proof: its hash in the database, the rest in the jar. A browser has one at a time. The proof of a link that was requested on
 * the page keeps the account that waits there.
 *
 * @param undo restores the proof that this one replaces.
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
  const waiting = isLink
    ? await takeWaiting(context, identity.startedFor, owner, undo)
    : waitingAccount(context.config, identity);
  const token = randomToken();
  const until = context.now() + PENDING_SIGN_IN_LIFETIME;
  const user = String(owner.id);
  const record = { ...(await keyOf(provider, { token, user, email })), expires: new Date(until * 1000) };
  const isStored = callAdapter(context.config, "createVerificationToken", record);
  await (isLink ? isStored : isStored.catch((error: unknown) => cannotAsk(context, identity.account.provider, error)));
  const value = await sealDestination(
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
    bindingOf(context, provider),
    PENDING_SIGN_IN_LIFETIME,
  );
  const { name, options } = context.cookies.address;
  context.jar.set({ name, value, options: { ...options, maxAge: PENDING_SIGN_IN_LIFETIME } });
}

/** The account on whose page the link was requested, if it still waits for the same user. Its own proof is replaced by that of the link. */
async function takeWaiting(
  context: FlowContext,
  mark: string | undefined,
  owner: AdapterUser,
  undo: Undo[],
): Promise<WaitingAccount | undefined> {
  if (mark === undefined) return undefined;
  const found = await findPendingAddress(context, (pending) => pending.mark === mark);
  if (found === null || !isSameId(found.owner.id, owner.id)) return undefined;
  if (!(await consumePendingAddress(context, found.pending))) return undefined;
  undo.push(restoringPendingAddress(context, found.pending));
  return found.pending.waiting;
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
      const value = await openCookie(sealed, bindingOf(context, provider));
      const pending = value && (await parsePending(context, provider, withDestination(context, value, "callbackUrl")));
      if (pending) found.push(pending);
    }
  }
  return found;
}

/** A proof and its user. */
export interface FoundAddress {
  readonly pending: PendingAddress;
  readonly owner: AdapterUser;
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
    if (owner !== null && isSameId(owner.id, pending.userId) && !isAddressProven(owner)) return { pending, owner };
  }
  return null;
}

/** Consumes the proof by deleting it from the database, so that one of several concurrent requests succeeds. */
export async function consumePendingAddress(context: FlowContext, { record }: PendingAddress): Promise<boolean> {
  const { identifier, token } = record;
  const found = await consumeToken(context.config, { identifier, token });
  return found !== null && record.expires.getTime() > Date.now();
}

/** Restores a consumed proof. */
export function restoringPendingAddress({ config }: FlowContext, { record }: PendingAddress): Undo {
  return { of: "proof", run: () => callAdapter(config, "createVerificationToken", record) };
}

/** Clears the cookie of a proof. */
export function forgetPendingAddress(context: FlowContext): void {
  const { name, options } = context.cookies.address;
  if (context.received.has(name)) context.jar.set({ name, value: "", options: { ...options, maxAge: 0 } });
}

/** Invalidates a proof, also on the server, so that a copy of its cookie is useless. Never throws. */
export async function voidPendingAddress(context: FlowContext): Promise<void> {
  forgetPendingAddress(context);
  try {
    for (const pending of await readPendingAddresses(context)) await consumePendingAddress(context, pending);
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
  const { token = "", user = "", email = "", spelling, provenAt = "", until = "", callbackUrl = "" } = value;
  const expires = new Date(Number(until) * 1000);
  const record = { ...(await keyOf(provider, { token, user, email })), expires };
  const waiting = parseWaiting(context, value.waiting);
  if (provider === undefined && waiting === undefined) return null;
  return {
    provider,
    waiting,
    ownsAddress: value.owns === "1",
    mark: markOf(record),
    userId: user,
    email,
    spelling: spelling || email,
    provenAt: new Date(Number(provenAt)),
    callbackUrl,
    context: parseContext(value.context),
    record,
  };
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
function markOf({ token }: VerificationToken): string {
  return token.slice(0, 32);
}

/** No provider has this id. */
function sourceOf(provider: AddressProvider | undefined): string {
  return provider?.id ?? ":account";
}

function bindingOf(context: FlowContext, provider: AddressProvider | undefined) {
  const { salt } = context.cookies.address;
  return { secrets: context.config.secrets, purpose: "address", salt, provider: sourceOf(provider) } as const;
}
