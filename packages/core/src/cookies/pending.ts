import { sha256 } from "../crypto/primitives.ts";
import type { FlowContext } from "../model/context.ts";
import type { ResolvedCookie } from "../model/resolved-config.ts";

/**
 * How the cookies of pending sign-ins are named and counted (docs/behaviour.md#cookies): `<name>.<time><hash>`, so that several tabs can sign
 * in at once, the cookies of one sign-in are found by what comes back, and the oldest go when there are too many.
 */

/** Parallel sign-ins that one browser may have. */
const MAX_PENDING = 5;

/** What all their cookies may take, in bytes; servers commonly refuse headers over 8 or 16 kB. */
const MAX_PENDING_BYTES = 8192;

/** How many surplus sign-ins one answer drops: a flood of cookies is not answered with a flood. */
const MAX_DROPPED = 5;

const HASH_LENGTH = 8;

/** The suffixes that are made here; a cookie with another one is somebody else's, and its name may not even be writable. */
const SUFFIX = /^[0-9a-z]{1,11}[\w-]{8}$/;

/** The suffix for what comes back (`state`, or the token of a link), and the whole hash to compare. */
export async function pendingSuffix(context: FlowContext, secret: string): Promise<{ suffix: string; hash: string }> {
  const hash = await sha256(secret);
  return { suffix: `${context.now().toString(36)}${hash.slice(0, HASH_LENGTH)}`, hash };
}

/** The name under which a cookie of the sign-in with this hash was sent, if it was. */
export function findPendingCookie(context: FlowContext, cookie: ResolvedCookie, hash: string): string | undefined {
  return listPendingCookies(context, cookie).find((name) => name.endsWith(hash.slice(0, HASH_LENGTH)));
}

/** The names under which cookies of this kind were sent. */
export function listPendingCookies(context: FlowContext, cookie: ResolvedCookie): readonly string[] {
  const prefix = `${cookie.name}.`;
  return [...context.received.keys()].filter(
    (name) => name.startsWith(prefix) && SUFFIX.test(name.slice(prefix.length)),
  );
}

/** Clears the oldest sign-ins that no longer fit beside a new one of `newBytes`. */
export function dropOldestPending(context: FlowContext, newBytes: number): void {
  let bytes = newBytes;
  let kept = 1;
  let dropped = 0;
  for (const [, cookies] of [...receivedBySuffix(context)].sort(([a], [b]) => (a < b ? 1 : -1))) {
    bytes += cookies.reduce((sum, { name }) => sum + name.length + (context.received.get(name)?.length ?? 0), 0);
    kept += 1;
    if (kept <= MAX_PENDING && bytes <= MAX_PENDING_BYTES) continue;
    if (dropped >= MAX_DROPPED) return;
    dropped += 1;
    for (const { cookie, name } of cookies) {
      context.jar.set({ name, value: "", options: { ...cookie.options, maxAge: 0 } });
    }
  }
}

interface Received {
  readonly cookie: ResolvedCookie;
  readonly name: string;
}

function receivedBySuffix(context: FlowContext): ReadonlyMap<string, readonly Received[]> {
  const { state, pkceCodeVerifier, nonce, webauthnChallenge } = context.cookies;
  const groups = new Map<string, readonly Received[]>();
  for (const name of context.received.keys()) {
    const ours = [state, pkceCodeVerifier, nonce, webauthnChallenge];
    const cookie = ours.find((candidate) => name.startsWith(`${candidate.name}.`));
    const suffix = cookie === undefined ? "" : name.slice(cookie.name.length + 1);
    if (cookie !== undefined && SUFFIX.test(suffix)) {
      groups.set(suffix, [...(groups.get(suffix) ?? []), { cookie, name }]);
    }
  }
  return groups;
}
