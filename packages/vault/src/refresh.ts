import type { ProviderTools, RefreshResult, Tools } from "@cardea/extend";
import type { Home, Reading } from "./home.ts";
import { LEASE_MS, type Lease, type LeaseSeeker, MAX_PRESENTED, seekLease } from "./lease.ts";
import { type KeptTokens, merge } from "./tokens.ts";

/** Milliseconds that one call waits for a refresh, by this or another process. */
const PATIENCE_MS = 2 * LEASE_MS;

/** Milliseconds between two checks of another process's lease: the minimum, and the maximum additional jitter. */
const LOOK_MS = 40;
const JITTER_MS = 80;

/** How often writing new tokens is tried, and the milliseconds in between. */
const WRITES = 3;
const WRITE_PAUSE_MS = 300;

/** Thrown if the tokens could not be refreshed. */
export class RefreshFailed extends Error {
  /** Identifies the error, including across installed copies of the package. */
  override readonly name = "RefreshFailed";
}

/** Whether the tokens satisfy the caller. */
export type IsEnough = (tokens: KeptTokens) => boolean;

/**
 * Returns tokens that satisfy the caller: refreshes them, or waits for the process that does.
 *
 * 1. The tokens are read again while holding the lease, because another process may have refreshed them.
 * 2. After a terminated holder, the stored tokens are written again, so that its late write fails.
 * 3. A refresh token that was sent twice without a response is not sent again.
 * 4. After `invalid_grant`, the tokens are read once more. If they are unchanged, the refresh token is removed.
 *
 * @returns The current tokens; the caller checks what is missing.
 * @throws RefreshFailed if the provider or the store is unavailable.
 */
export async function refresh(t: Tools, home: Home, provider: ProviderTools, isEnough: IsEnough): Promise<KeptTokens> {
  const seeker = await seekLease(t, home.name);
  const first = await home.read();
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const turn = await takeTurn(t, { seeker, home, provider, isEnough, first });
    if (turn !== null) return turn;
    if (performance.now() > until)
      throw new RefreshFailed(`The tokens of provider "${provider.id}" are being refreshed by another process.`);
    await pause(LOOK_MS + Math.random() * JITTER_MS);
  }
}

interface Work {
  readonly seeker: LeaseSeeker;
  readonly home: Home;
  readonly provider: ProviderTools;
  readonly isEnough: IsEnough;
  /** The tokens when the call started. */
  readonly first: Reading;
}

/** Null if another process is refreshing, or has refreshed, the tokens. */
async function takeTurn(t: Tools, work: Work): Promise<KeptTokens | null> {
  const lease = await work.seeker.take();
  if (lease === null) {
    const now = await work.home.read();
    return isSettled(now, work) ? now.tokens : null;
  }
  let unanswered: string | undefined = lease.unanswered?.hash;
  try {
    const outcome = await withLease(t, work, lease);
    unanswered = outcome.unanswered;
    if (outcome.error !== undefined) throw outcome.error;
    return outcome.tokens;
  } finally {
    // A lost lease is not released. After an outage, the lease expires.
    await lease.release(unanswered).catch(() => undefined);
  }
}

/**
 * Whether the tokens satisfy the caller, or another process has replaced them since the call started and they will not
 * get better.
 */
function isSettled({ tokens }: Reading, { isEnough, first }: Work): boolean {
  const before = first.tokens;
  return isEnough(tokens) || tokens.accessToken !== before.accessToken || tokens.gone !== before.gone;
}

interface Outcome {
  readonly tokens: KeptTokens | null;
  /** Hash of a refresh token that the provider may have consumed. */
  readonly unanswered: string | undefined;
  readonly error?: RefreshFailed;
}

const settled = (tokens: KeptTokens): Outcome => ({ tokens, unanswered: undefined });

async function withLease(t: Tools, work: Work, lease: Lease): Promise<Outcome> {
  const { home, provider } = work;
  let reading = await home.read();
  const { tokens } = reading;
  if (isSettled(reading, work) || tokens.refreshToken === undefined) return settled(tokens);
  const hash = await t.digest(tokens.refreshToken);
  const times = lease.unanswered?.hash === hash ? lease.unanswered.times : 0;
  if (lease.takenOver) {
    if (!(await home.swap(reading, tokens))) return { tokens: null, unanswered: lease.unanswered?.hash };
    reading = await home.read();
  }
  if (times >= MAX_PRESENTED) return giveUp(work, reading, "lost");
  const result = await provider.refresh({
    refreshToken: tokens.refreshToken,
    idToken: tokens.idToken,
    within: Math.max(1, lease.left()),
    beforeSend: () => lease.markSent(hash),
  });
  return finish(t, work, lease, reading, result, { hash, times });
}

async function finish(
  t: Tools,
  work: Work,
  lease: Lease,
  reading: Reading,
  result: RefreshResult,
  { hash, times }: { readonly hash: string; readonly times: number },
): Promise<Outcome> {
  const before = lease.unanswered?.hash;
  switch (result.kind) {
    case "tokens":
      return write(t, work, lease, reading, merge(reading.tokens, result.tokens), hash);
    case "refused":
      if (result.error === "invalid_grant") return giveUp(work, reading, times > 0 ? "lost" : "revoked");
      return { tokens: null, unanswered: before, error: failed(work, `the provider returned "${result.error}"`) };
    case "failed":
      return noAnswer(work, lease, result.error, result.sent ? hash : before);
    case "stopped":
      return { tokens: null, unanswered: before };
  }
}

/** A holder suspended beyond its lease sees its own timeout first; the result of the next holder counts. */
async function noAnswer(work: Work, lease: Lease, cause: Error, unanswered: string | undefined): Promise<Outcome> {
  const isOurs = await lease.isOurs().catch(() => true);
  return { tokens: null, unanswered, ...(isOurs ? { error: failed(work, "no usable response", cause) } : {}) };
}

function failed({ provider }: Work, why: string, cause?: Error): RefreshFailed {
  return new RefreshFailed(`The tokens of provider "${provider.id}" could not be refreshed: ${why}.`, { cause });
}

/**
 * Tokens written by others in the meantime, for example by a new sign-in, take precedence. A store outage is waited out
 * before the lease is checked, because the provider's response cannot be obtained again. If the tokens cannot be
 * written, waiting callers still receive them, but the refresh token is lost.
 */
async function write(
  t: Tools,
  { home }: Work,
  lease: Lease,
  reading: Reading,
  next: KeptTokens,
  hash: string,
): Promise<Outcome> {
  for (let n = 1; ; n++) {
    try {
      if (!(await lease.isOurs())) return { tokens: null, unanswered: hash };
      return settled((await home.swap(reading, next)) ? next : (await home.read()).tokens);
    } catch (error) {
      if (n === WRITES) {
        const { provider } = home.key;
        t.logger.error(new Error(`vault: new tokens of provider "${provider}" could not be stored.`, { cause: error }));
        return { tokens: next, unanswered: hash };
      }
      await pause(WRITE_PAUSE_MS);
    }
  }
}

async function giveUp({ home }: Work, reading: Reading, gone: "lost" | "revoked"): Promise<Outcome> {
  const next: KeptTokens = { ...reading.tokens, refreshToken: undefined, gone };
  const done = await home.swap(reading, next);
  return settled(done ? next : (await home.read()).tokens);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
