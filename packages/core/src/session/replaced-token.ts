import { guardStore } from "../application/guard-store.ts";
import { hashAtOnce, sha256 } from "../crypto/primitives.ts";
import { toError } from "../model/auth-error.ts";
import type { FoundSession } from "../model/extension-runner.ts";
import type { EpochSeconds, Seconds } from "../model/units.ts";
import { createTokenCache, ENTRY_BYTES } from "./decrypt-session-token.ts";
import type { SessionContext } from "./strategy.ts";

/**
 * Sessions that a browser no longer has, or no longer under the token that a request carried. The response to that request may reach the
 * browser last, so this is remembered for a while.
 *
 * 1. A token was replaced: by a new token of the same session, or by another sign-in. It is invalid, but its cookie is kept, because
 *    clearing it would remove the new token. Known to this process and, with a store, to all of them.
 * 2. A session ended in its browser: by a sign-out or another sign-in. A response that renews it, or clears its cookie, must not undo
 *    that. Known to this process.
 */

/** Longer than most requests take. Later, the cookie of a browser that did not receive the new token is cleared. */
const REPLACED_LIFETIME: Seconds = 60;
/** As long as servers let a request take. */
const ENDED_LIFETIME: Seconds = 300;

/** Whatever the secrets are; about ten thousand. */
const remembered = createTokenCache<true>(10_000 * ENTRY_BYTES);

function remember(key: string, until: EpochSeconds): void {
  remembered.set([], key, true, 0, until);
}

/** Remembers the token of a session before it is replaced. Never throws: if the store fails, this process remembers it. */
export async function rememberReplaced({ config, logger, now }: SessionContext, former: FoundSession): Promise<void> {
  remember(replacedKey(former), now() + REPLACED_LIFETIME);
  if (config.store === undefined) return;
  try {
    await guardStore(config.store).set(await storedKey(former), "1", { ttl: REPLACED_LIFETIME });
  } catch (error) {
    logger.error(toError(error));
  }
}

/** Whether a session's token was replaced a moment ago, or this cannot be determined. Never throws. */
export async function wasReplaced({ config, now }: SessionContext, former: FoundSession): Promise<boolean> {
  if (remembered.get([], replacedKey(former), now())) return true;
  const mark = config.store && guardStore(config.store).get(await storedKey(former));
  return mark !== undefined && (await mark.catch(() => "unknown")) !== null;
}

/**
 * Remembers that a session ended in its browser.
 *
 * @param received the tokens of the request: of sessions that ended before, too, whose cookies are now replaced.
 */
export function rememberEnded(
  { now }: SessionContext,
  received: readonly { readonly token: string }[],
  session?: FoundSession,
): void {
  const names = [...received.map(({ token }) => nameOfToken(token)), session && nameOf(session)];
  for (const name of names) if (name !== undefined) remember(`ended ${name}`, now() + ENDED_LIFETIME);
}

/** Whether a session ended in its browser a moment ago: a response that issues its next token must not undo that. */
export function hasEnded({ now }: SessionContext, session: FoundSession): boolean {
  const name = nameOf(session);
  return name !== undefined && remembered.get([], `ended ${name}`, now()) === true;
}

/** Whether a session has also ended if it got another token: a response that renews it must not undo that either. */
export function isSuperseded(context: SessionContext, session: FoundSession): boolean {
  if (hasEnded(context, session)) return true;
  // Without `jti`, the token cannot be told from the one that replaced it.
  const isTold = session.kind === "record" || session.jti !== undefined;
  return isTold && remembered.get([], replacedKey(session), context.now()) === true;
}

/** Whether a sign-in or a sign-out received this token a moment ago, so that its cookie was replaced or cleared. */
export function isGone({ now }: SessionContext, { token }: { readonly token: string }): boolean {
  return remembered.get([], `ended ${nameOfToken(token)}`, now()) === true;
}

/**
 * Names a session: claims by its id, which rotation keeps, and a record by its token: the id in a token that no record has may be anyone's.
 * Undefined for claims without `jti`, as those of a user look alike.
 */
function nameOf(session: FoundSession): string | undefined {
  if (session.kind === "record") return nameOfToken(session.token);
  const { sid }: { readonly sid?: unknown } = Object(session.facts);
  return typeof sid === "string" ? sid : session.jti;
}

function nameOfToken(token: string): string {
  return hashAtOnce(token) ?? token;
}

/** A token without `jti` is identified by its user. */
function textOf(former: FoundSession): string {
  return former.kind === "record" ? former.token : (former.jti ?? former.userId);
}

const replacedKey = (former: FoundSession): string => `replaced ${textOf(former)}`;

async function storedKey(former: FoundSession): Promise<string> {
  return `cardea:core:${await sha256(replacedKey(former))}`;
}
