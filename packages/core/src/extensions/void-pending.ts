import { guardStore } from "../application/guard-store.ts";
import { randomToken, sha256 } from "../crypto/primitives.ts";
import type { ResolvedConfig } from "../model/resolved-config.ts";
import type { Seconds } from "../model/units.ts";

/**
 * When all sessions of a user end, so do the sign-ins that wait for a further proof: anyone who began one knows what the user may just have
 * changed. The store holds a random mark for each user whose sessions ended a short time ago; a sign-in goes on only while its user's
 * mark is the one that was there when it began. No clocks are compared.
 */

/** Twice as long as a sign-in may wait: while one waits, the mark of a later end is there. */
const LIFETIME: Seconds = 1200;

/** Voids the sign-ins of a user that wait. Without a store none waits. @throws what the store throws. */
export async function voidPending({ store }: ResolvedConfig, userId: string): Promise<void> {
  if (store !== undefined) await guardStore(store).set(await keyOf(userId), randomToken(16), { ttl: LIFETIME });
}

/** What has to hold still when a sign-in goes on; null before the first end. @throws what the store throws. */
export async function markOf({ store }: ResolvedConfig, userId: string): Promise<string | null> {
  return store === undefined ? null : guardStore(store).get(await keyOf(userId));
}

/** Whether the sessions of a user ended after a mark was read. @throws what the store throws. */
export async function isVoid(config: ResolvedConfig, userId: string, mark: string | null): Promise<boolean> {
  const now = await markOf(config, userId);
  return now !== null && now !== mark;
}

async function keyOf(userId: string): Promise<string> {
  return `cardea:core:${await sha256(JSON.stringify(["ended", userId]))}`;
}
