import { guardStore } from "../application/guard-store.ts";
import { hashAtOnce, sha256 } from "../crypto/primitives.ts";
import { toError } from "../model/auth-error.ts";
import type { FlowContext } from "../model/context.ts";
import type { FoundSession } from "../model/extension-runner.ts";
import type { EpochSeconds, Seconds } from "../model/units.ts";
import { createTokenCache, ENTRY_BYTES, type TokenCache } from "./decrypt-session-token.ts";

/**
 * Sessions that a browser no longer has, or no longer under the token that a request carried. The response to that request may reach the
 * browser last, so this is remembered for a while.
 *
 * 1. A token was replaced: by a new token of the same session, or by another sign-in. It is invalid, but its cookie is kept, because
 *    clearing it would remove the new token. Known to this process and, with a store, to all of them.
 * 2. A session ended in its browser, or got another token there: by a sign-out, another sign-in or a rotation, once its response has the
 *    cookies. A response that renews it, or clears its cookie, must not undo that. Known to this process.
 */

/** Longer than most requests take. Later, the cookie of a browser that did not receive the new token is cleared. */
const REPLACED_LIFETIME: Seconds = 60;
/** As long as servers let a request take. */
const ENDED_LIFETIME: Seconds = 300;

/** Frameworks bundle pages, route handlers and middleware apart: their copies of this module share one memory. */
const MEMORY = Symbol.for("cardea.replaced-sessions");

/** About ten thousand. */
const remembered: TokenCache<true> = Reflect.get(globalThis, MEMORY) ?? createTokenCache<true>(10_000 * ENTRY_BYTES);
Reflect.set(globalThis, MEMORY, remembered);

function remember(key: string, until: EpochSeconds): void {
  remembered.set(key, true, 0, until);
}

const isRemembered = ({ now }: FlowContext, key: string): boolean => remembered.get(key, now()) === true;

/** Remembers the token of a session before it is replaced. Never throws: if the store fails, this process remembers it. */
export async function rememberReplaced({ config, logger, now }: FlowContext, former: FoundSession): Promise<void> {
  remember(replacedKey(former), now() + REPLACED_LIFETIME);
  if (config.store === undefined) return;
  try {
    await guardStore(config.store).set(await storedKey(former), "1", { ttl: REPLACED_LIFETIME });
  } catch (error) {
    logger.error(toError(error));
  }
}

/** Whether a session's token was replaced a moment ago, or this cannot be determined. Never throws. */
export async function wasReplaced(context: FlowContext, former: FoundSession): Promise<boolean> {
  const { config } = context;
  if (isRemembered(context, replacedKey(former))) return true;
  const mark = config.store && guardStore(config.store).get(await storedKey(former));
  return mark !== undefined && (await mark.catch(() => "unknown")) !== null;
}

/** What this process remembers of sessions in their browser. */
export interface InBrowser {
  /** They ended there. */
  end(): void;
  /** They got another token there. */
  supersede(): void;
  /** Whether one of them ended a moment ago: a response that issues its next token must not undo that. */
  hasEnded(): boolean;
  /** Whether one of them has ended or got another token: a response that renews it, or clears its cookie, must not undo that. */
  isSuperseded(): boolean;
}

/**
 * Sessions have several names, each of which tells one: the token, the id of the claims, and the session's own id, which rotation keeps. A
 * custom `encode` may drop the second, and only facts have the third.
 *
 * @param received Tokens of a request.
 */
export function inBrowser(
  context: FlowContext,
  received: readonly { readonly token: string }[],
  sessions: readonly FoundSession[],
): InBrowser {
  const all = sessions.map((one) => (one.kind === "claims" ? one : undefined));
  const changing = [
    ...received.map(({ token }) => `token ${hashAtOnce(token) ?? token}`),
    ...all.flatMap((one) => (one?.jti === undefined ? [] : [`jti ${one.jti}`])),
  ];
  const kept = all.flatMap((one) => {
    const { sid }: { sid?: unknown } = Object(one?.facts);
    return typeof sid === "string" ? [`sid ${sid}`] : [];
  });
  const names = [...changing, ...kept];
  const until = () => context.now() + ENDED_LIFETIME;
  const hasEnded = () => names.some((name) => isRemembered(context, `ended ${name}`));
  return {
    end: () => {
      for (const name of names) remember(`ended ${name}`, until());
    },
    supersede: () => {
      for (const name of changing) remember(`superseded ${name}`, until());
    },
    hasEnded,
    isSuperseded: () => hasEnded() || names.some((name) => isRemembered(context, `superseded ${name}`)),
  };
}

/** A token without `jti` is identified by its user. */
function textOf(former: FoundSession): string {
  return former.kind === "record" ? former.token : (former.jti ?? former.userId);
}

const replacedKey = (former: FoundSession): string => `replaced ${textOf(former)}`;

async function storedKey(former: FoundSession): Promise<string> {
  return `cardea:core:${await sha256(replacedKey(former))}`;
}
