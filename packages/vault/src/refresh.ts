import type { ProviderTools, RefreshResult, Tools } from "@cardea/core/extend";
import type { Home, Reading } from "./home.ts";
import { LEASE_MS, type Lease, type LeaseSeeker, MAX_PRESENTED, seekLease } from "./lease.ts";
import { type KeptTokens, merge } from "./tokens.ts";

/** Milliseconds that one call waits for a refresh, its own or that of another process. */
const PATIENCE_MS = 2 * LEASE_MS;

/** Milliseconds between two looks at the lease of another process, with jitter: at least, and at most in addition. */
const LOOK_MS = 40;
const JITTER_MS = 80;

/** How often the write of new tokens is tried, and the milliseconds in between. */
const WRITES = 3;
const WRITE_PAUSE_MS = 300;

/** The provider could not be asked. */
export class RefreshFailed extends Error {
  override readonly name = "RefreshFailed";
}

/** Whether the tokens are good enough for the caller. */
export type IsEnough = (tokens: KeptTokens) => boolean;

/**
 * Gets tokens that are good enough: refreshes them, or waits for the process that does.
 *
 * 1. The tokens are read again with the lease: another process may have refreshed them.
 * 2. After a holder that ended, what is stored is written again, so that its late answer overwrites nothing.
 * 3. A refresh token that holders sent twice without an answer is not sent again.
 * 4. `invalid_grant`: the tokens are read once more; unchanged, the account has no refresh token any more.
 *
 * @returns the tokens as they are then; the caller looks at what is missing.
 * @throws RefreshFailed when the provider or the store could not be asked.
 */
export async function refresh(t: Tools, home: Home, provider: ProviderTools, isEnough: IsEnough): Promise<KeptTokens> {
  const seeker = await seekLease(t, home.name);
  const first = await home.read();
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const turn = await takeTurn(t, { seeker, home, provider, isEnough, first });
    if (turn !== null) return turn;
    if (performance.now() > until)
      throw new RefreshFailed(`The tokens of provider "${provider.id}" are being refreshed elsewhere.`);
    await pause(LOOK_MS + Math.random() * JITTER_MS);
  }
}

interface Work {
  readonly seeker: LeaseSeeker;
  readonly home: Home;
  readonly provider: ProviderTools;
  readonly isEnough: IsEnough;
  /** What was there when the call began. */
  readonly first: Reading;
}

/** Null: another process is at it, or was. */
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
    // A lease that is lost is not given back; an outage leaves it to end by itself.
    await lease.release(unanswered).catch(() => undefined);
  }
}

/** Whether the tokens are good enough, or another process has replaced those that this call found: then they are as good as they get. */
function isSettled({ tokens }: Reading, { isEnough, first }: Work): boolean {
  const before = first.tokens;
  return isEnough(tokens) || tokens.accessToken !== before.accessToken || tokens.gone !== before.gone;
}

interface Outcome {
  readonly tokens: KeptTokens | null;
  /** Hash of a refresh token of which it is not known whether the provider has consumed it. */
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
      if (!(await lease.isOurs())) return { tokens: null, unanswered: hash };
      return write(t, work, reading, merge(reading.tokens, result.tokens), hash);
    case "refused":
      if (isGone(result.error)) return giveUp(work, reading, times > 0 ? "lost" : "revoked");
      return { tokens: null, unanswered: before, error: failed(work, `it answered "${result.error}"`) };
    case "failed":
      // A holder that was stopped beyond its lease hears of its own deadline first: what the next holder did counts.
      if (!(await lease.isOurs())) return { tokens: null, unanswered: result.sent ? hash : before };
      return { tokens: null, unanswered: result.sent ? hash : before, error: failed(work, "no answer", result.error) };
    case "stopped":
      return { tokens: null, unanswered: before };
  }
}

/** RFC 6749 §5.2, and what GitHub calls it. */
function isGone(error: string): boolean {
  return error === "invalid_grant" || error === "bad_refresh_token";
}

function failed({ provider }: Work, why: string, cause?: Error): RefreshFailed {
  return new RefreshFailed(`The tokens of provider "${provider.id}" could not be refreshed: ${why}.`, { cause });
}

/**
 * The tokens of another count where they have been faster, such as those of a new sign-in. Tokens that cannot be written are good for
 * those who wait for them; the refresh token is lost then.
 */
async function write(t: Tools, { home }: Work, reading: Reading, next: KeptTokens, hash: string): Promise<Outcome> {
  for (let n = 1; ; n++) {
    try {
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
