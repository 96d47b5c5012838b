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
import type { AddressProvider } from "../model/resolved-provider.ts";
import { PENDING_SIGN_IN_LIFETIME } from "../model/units.ts";
import { valuesOf } from "../protocol/cookie-values.ts";
import { isSameAddress } from "../protocol/email-address.ts";
import { isSameId } from "../protocol/same-id.ts";
import { parseContext, writeContext } from "../protocol/sign-in-context.ts";
import { addressProviders, isAddressProven } from "../session/unproven-address.ts";
import { findUserByAddress } from "./find-user.ts";

/**
 * The proof of an address whose user may be someone else's, stored from the opened link until the decision on the page
 * `confirm-address`. The browser stores it in the encrypted cookie `address`; the server stores its hash as a verification
 * token, which can be consumed once. Both are bound to the user, the address and the provider, and are valid for 15
 * minutes.
 */
export interface PendingAddress {
  readonly provider: AddressProvider;
  readonly userId: string;
  readonly email: string;
  /** The address as it is stored, where the adapter shows it. */
  readonly spelling: string;
  /** When the link was sent. */
  readonly provenAt: Date;
  /** Destination after sign-in; validated. */
  readonly callbackUrl: string;
  /** Own data of the application. */
  readonly context: SignInContext | undefined;
  /** The verification token. */
  readonly record: VerificationToken;
}

/**
 * Stores a proof: its hash in the database, the rest in the jar. A browser has one at a time.
 *
 * @throws AdapterError.
 */
export async function storePendingAddress(
  context: FlowContext,
  provider: AddressProvider,
  owner: AdapterUser,
  proof: Pick<PendingAddress, "email" | "provenAt" | "callbackUrl" | "context">,
): Promise<void> {
  const { email, provenAt, callbackUrl } = proof;
  const token = randomToken();
  const until = context.now() + PENDING_SIGN_IN_LIFETIME;
  const user = String(owner.id);
  const expires = new Date(until * 1000);
  const key = await keyOf(provider, { token, user, email });
  await callAdapter(context.config, "createVerificationToken", { ...key, expires });
  const value = await sealDestination(
    context,
    {
      token,
      user,
      email,
      spelling: isSameAddress(owner.email ?? "", email) ? (owner.email ?? "") : "",
      provenAt: String(provenAt.getTime()),
      until: String(until),
      callbackUrl,
      context: writeContext(proof.context),
    },
    "callbackUrl",
    bindingOf(context, provider),
    PENDING_SIGN_IN_LIFETIME,
  );
  const { name, options } = context.cookies.address;
  context.jar.set({ name, value, options: { ...options, maxAge: PENDING_SIGN_IN_LIFETIME } });
}

/**
 * The proofs of this browser: one, unless the cookie was sent several times, which happens if another host of the same site
 * sets one with that name. Does not tell whether they were consumed.
 */
async function readPendingAddresses(context: FlowContext): Promise<readonly PendingAddress[]> {
  const found: PendingAddress[] = [];
  for (const sealed of valuesOf(context.cookies.address.name, context)) {
    for (const provider of addressProviders(context.config)) {
      const value = await openCookie(sealed, bindingOf(context, provider));
      if (value !== null) found.push(await parsePending(provider, withDestination(context, value, "callbackUrl")));
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
 * @param email the address that was shown; another link may have been opened in another tab since.
 */
export async function findPendingAddress(context: FlowContext, email?: string): Promise<FoundAddress | null> {
  for (const pending of await readPendingAddresses(context)) {
    if (email !== undefined && pending.email !== email) continue;
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

async function parsePending(
  provider: AddressProvider,
  value: Readonly<Record<string, string>>,
): Promise<PendingAddress> {
  const { token = "", user = "", email = "", spelling, provenAt = "", until = "", callbackUrl = "", context } = value;
  const expires = new Date(Number(until) * 1000);
  const record = { ...(await keyOf(provider, { token, user, email })), expires };
  const own = parseContext(context);
  return {
    provider,
    userId: user,
    email,
    spelling: spelling || email,
    provenAt: new Date(Number(provenAt)),
    callbackUrl,
    context: own,
    record,
  };
}

/** The identifier cannot equal an e-mail address; the token is random, so its hash needs no secret. */
async function keyOf({ id }: AddressProvider, bound: Readonly<Record<"token" | "user" | "email", string>>) {
  const { token, user, email } = bound;
  return {
    identifier: `confirm-address:${id}`,
    token: await sha256Hex(`confirm address ${JSON.stringify([token, user, email])}`),
  };
}

function bindingOf(context: FlowContext, { id }: AddressProvider) {
  const { salt } = context.cookies.address;
  return { secrets: context.config.secrets, purpose: "address", salt, provider: id } as const;
}
