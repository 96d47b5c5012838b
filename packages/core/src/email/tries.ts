import { sha256Hex } from "../crypto/primitives.ts";
import type { VerificationToken } from "../model/adapter.ts";
import type { FlowContext } from "../model/context.ts";
import type { ResolvedEmailProvider } from "../model/resolved-provider.ts";
import type { EpochMilliseconds } from "../model/units.ts";
import { requireAccounts } from "../session/accounts.ts";

/**
 * Wrong attempts at guessable tokens, counted for each address and provider in the database, so that all processes share
 * one count. A verification token stores the count: its value is the number of wrong attempts, its expiry the time since
 * when links count.
 *
 * An attempt consumes the record, which only one of several parallel attempts can do, and restores it with the new
 * count. Meanwhile, and after the last attempt, no link of the address works. Links with strong tokens are not
 * affected: otherwise an attacker could lock out the owner of the address.
 */

/** How many wrong attempts invalidate the links of an address. */
export const MAX_WRONG_TRIES = 10;

/** A consumed attempt. */
export interface ConsumedTry {
  /** The number of wrong attempts before. */
  readonly wrong: number;
  /** Links that were sent before this are invalid: their attempts are used up. */
  readonly since: EpochMilliseconds;
}

/**
 * Allows attempts for a link that is about to be sent. Remaining attempts of earlier links are unchanged.
 *
 * @throws AdapterError.
 */
export async function allowTries(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  address: string,
  sentAt: EpochMilliseconds,
): Promise<void> {
  const left = await consumeTry(context, provider, address);
  const outlives = left !== null && left.since + lifetimeOf(provider) / 2 >= sentAt;
  try {
    await returnTry(context, provider, address, outlives ? left : { wrong: 0, since: sentAt });
  } catch (error) {
    // Another request sent a link to this address at the same time.
    const other = await consumeTry(context, provider, address);
    if (other === null) throw error;
    await returnTry(context, provider, address, other);
  }
}

/**
 * Consumes an attempt; {@link returnTry} restores it.
 *
 * @returns null if none is left, or another request has consumed it.
 * @throws AdapterError.
 */
export async function consumeTry(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  address: string,
): Promise<ConsumedTry | null> {
  for (let wrong = 0; wrong < MAX_WRONG_TRIES; wrong++) {
    const key = await keyOf(provider, address, wrong);
    const row = await requireAccounts(context.config).records.consume(key);
    const expires = row?.expires.getTime() ?? 0;
    if (expires > Date.now()) return { wrong, since: expires - lifetimeOf(provider) };
  }
  return null;
}

/**
 * Restores an attempt. After the last wrong one there is none to restore.
 *
 * @throws AdapterError.
 */
export async function returnTry(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  address: string,
  { wrong, since }: ConsumedTry,
): Promise<void> {
  if (wrong >= MAX_WRONG_TRIES) return;
  const expires = new Date(since + lifetimeOf(provider));
  const row: VerificationToken = { ...(await keyOf(provider, address, wrong)), expires };
  await requireAccounts(context.config).records.call("createVerificationToken", row);
}

/** Longer than any link for which the attempts are allowed. */
function lifetimeOf({ maxAge }: ResolvedEmailProvider): EpochMilliseconds {
  return 2 * maxAge * 1000;
}

/** Hashed: an address and an id together may exceed the length of a database column. Not secret. */
async function keyOf({ id }: ResolvedEmailProvider, address: string, wrong: number) {
  const identifier = `email-tries:${await sha256Hex(JSON.stringify(["e-mail tries", id, address]))}`;
  return { identifier, token: await sha256Hex(JSON.stringify(["e-mail tries", id, address, wrong])) };
}
