import { callAdapter } from "../../application/call-adapter.ts";
import { sha256Hex } from "../../crypto/primitives.ts";
import type { VerificationToken } from "../../model/adapter.ts";
import type { FlowContext } from "../../model/context.ts";
import type { ResolvedEmailProvider } from "../../model/resolved-config.ts";
import type { EpochMilliseconds } from "../../model/units.ts";

/**
 * Wrong tries at tokens that can be guessed, counted for each address and provider in the database, so that every process sees one
 * count. One verification token stands for the count: its value says how many tries were wrong, its expiry since when links count.
 *
 * A try takes the row, which one of several parallel tries can do, and gives it back with the new count. While it is taken, and
 * after the last try, no link of the address works. Links whose tokens look strong are not affected: a stranger could lock the
 * owner of the address out by this.
 */

/** How many wrong tries void the links of an address. */
export const MAX_WRONG_TRIES = 10;

/** A try that was taken. */
export interface ConsumedTry {
  /** How many tries were wrong before. */
  readonly wrong: number;
  /** Links that were sent before this are void: their tries are used up. */
  readonly since: EpochMilliseconds;
}

/**
 * Allows tries for a link that is about to be sent. Those that are left for earlier links stay as they are.
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
    // Another request that sends a link to this address was faster.
    const other = await consumeTry(context, provider, address);
    if (other === null) throw error;
    await returnTry(context, provider, address, other);
  }
}

/**
 * Takes a try; {@link returnTry} gives it back.
 *
 * @returns null when none is left, or another request has taken it.
 * @throws AdapterError.
 */
export async function consumeTry(
  context: FlowContext,
  provider: ResolvedEmailProvider,
  address: string,
): Promise<ConsumedTry | null> {
  for (let wrong = 0; wrong < MAX_WRONG_TRIES; wrong++) {
    const key = await keyOf(provider, address, wrong);
    const row = await callAdapter(context.config, "useVerificationToken", key);
    if (!row || row.identifier !== key.identifier || (row.token ?? key.token) !== key.token) continue;
    const expires = row.expires.getTime();
    if (expires > Date.now()) return { wrong, since: expires - lifetimeOf(provider) };
  }
  return null;
}

/**
 * Gives a try back. After the last wrong one there is none to give back.
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
  await callAdapter(context.config, "createVerificationToken", row);
}

/** Longer than any link for which the tries are allowed. */
function lifetimeOf({ maxAge }: ResolvedEmailProvider): EpochMilliseconds {
  return 2 * maxAge * 1000;
}

/** Hashed: an address and an id together may be longer than what databases keep of an identifier. Not secret. */
async function keyOf({ id }: ResolvedEmailProvider, address: string, wrong: number) {
  const identifier = `email-tries:${await sha256Hex(JSON.stringify(["e-mail tries", id, address]))}`;
  return { identifier, token: await sha256Hex(JSON.stringify(["e-mail tries", id, address, wrong])) };
}
