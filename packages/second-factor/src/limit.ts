import type { ActionRequest, RequestTools, Seconds, Tools } from "@cardea/extend";

/**
 * RFC 4226 §7.3: how many codes of one user are checked in any interval of this length, from all addresses together.
 */
const TIMES = 5;
const INTERVAL: Seconds = 300;

/** How often the update is retried after a concurrent change; then the attempt is rejected. */
const MAX_TRIES = 8;

/** Whether a code may be checked. */
export type Verdict = { readonly allow: true } | { readonly allow: false; readonly retryAfter: Seconds };

/** A proof to be checked. */
export interface Try {
  readonly userId: string;
  readonly provider: string;
  readonly type: "oauth" | "oidc" | "email" | "credentials" | "webauthn";
}

/**
 * Asks every extension. Without `@cardea/attempts`, a built-in limit applies: five codes per user in any five minutes.
 *
 * @throws errors of the store.
 */
export async function mayTry(action: ActionRequest, t: RequestTools, tried: Try): Promise<Verdict> {
  const verdict = await action.attempt({ action: "factor", ...tried });
  if (!verdict.allow) return { allow: false, retryAfter: verdict.retryAfter };
  return t.hasExtension("attempts") ? { allow: true } : takeOwn(t, tried.userId);
}

/** Resets the count after a correct code. */
export async function forgetTries(t: Tools, userId: string): Promise<void> {
  const { store } = t;
  const key = await t.permanentKey("tries", userId);
  const text = await store?.get(key);
  if (typeof text === "string") await store?.swap(key, text, null, { ttl: INTERVAL });
}

async function takeOwn(t: Tools, userId: string): Promise<Verdict> {
  const { store } = t;
  if (store === undefined) return { allow: false, retryAfter: INTERVAL };
  const key = await t.permanentKey("tries", userId);
  const now = t.now();
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const text = await store.get(key);
    const given = parseTimes(text).filter((at) => at > now - INTERVAL);
    // A code that was checked by a server whose clock is ahead counts from now, not for longer.
    const times = given.map((at) => Math.min(at, now));
    const [first = now] = times;
    const isFull = times.length >= TIMES;
    const next = isFull ? times : [...times, now];
    const isCurrent = isFull && given.every((at) => at <= now);
    const isStored = isCurrent || (await store.swap(key, text, JSON.stringify(next), { ttl: INTERVAL }));
    if (isFull) return { allow: false, retryAfter: Math.max(1, first + INTERVAL - now) };
    if (isStored) return { allow: true };
  }
  return { allow: false, retryAfter: 1 };
}

function parseTimes(text: string | null): readonly number[] {
  const list: unknown = text === null ? [] : JSON.parse(text);
  return Array.isArray(list) ? list.filter((at) => typeof at === "number") : [];
}
