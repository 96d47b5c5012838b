import { guardStore } from "../application/guard-store.ts";
import { sha256 } from "../crypto/primitives.ts";
import { toError } from "../model/auth-error.ts";
import type { FoundSession } from "../model/extension-runner.ts";
import type { JWT } from "../model/records.ts";
import type { Seconds } from "../model/units.ts";
import { createTokenCache, ENTRY_BYTES } from "./decrypt-session-token.ts";
import type { SessionContext } from "./strategy.ts";

/**
 * Tokens that were replaced in their browser a moment ago: by a new token of the same session, or by another sign-in. The response
 * to a request that carried the former token may reach the browser after the new token, which a cleared cookie would remove. The
 * token stays invalid, but its cookie is kept.
 *
 * Known to this process and, with a store, to all of them.
 */

/** Longer than a request takes. Later, the cookie of a browser that did not receive the new token is cleared. */
const LIFETIME: Seconds = 60;

/** By hash or `jti`, whatever the secrets are; about ten thousand. */
const remembered = createTokenCache<true>(10_000 * ENTRY_BYTES);

/** Remembers the token of a session before it is replaced. Never throws: if the store fails, this process remembers it. */
export async function rememberReplaced({ config, logger, now }: SessionContext, former: FoundSession): Promise<void> {
  const key = await keyOf(former);
  remembered.set([], key, true, 0, now() + LIFETIME);
  if (config.store === undefined) return;
  try {
    await guardStore(config.store).set(key, "1", { ttl: LIFETIME });
  } catch (error) {
    logger.error(toError(error));
  }
}

/** Whether a session's token was replaced a moment ago, or this cannot be determined. Never throws. */
export async function wasReplaced({ config, now }: SessionContext, former: FoundSession): Promise<boolean> {
  const key = await keyOf(former);
  if (remembered.get([], key, now())) return true;
  const mark = config.store && guardStore(config.store).get(key);
  return mark !== undefined && (await mark.catch(() => "unknown")) !== null;
}

/**
 * Remembers, in this process, that a session in a cookie ended in its browser, or that another took its place. A token without
 * `jti` cannot be told from the user's others, and is not remembered.
 */
export function forbidRenewal({ now }: SessionContext, { jti }: JWT): void {
  if (jti !== undefined) remembered.set([], `ended ${jti}`, true, 0, now() + LIFETIME);
}

/** Whether a session may be written again: a response that renews it must not undo a sign-out or a newer sign-in. */
export function mayRenew({ now }: SessionContext, { jti }: JWT): boolean {
  return jti === undefined || remembered.get([], `ended ${jti}`, now()) === undefined;
}

/** A token without `jti` is identified by its user. */
async function keyOf(former: FoundSession): Promise<string> {
  const text = former.kind === "record" ? former.token : (former.jti ?? former.userId);
  return `cardea:core:${await sha256(`replaced ${text}`)}`;
}
