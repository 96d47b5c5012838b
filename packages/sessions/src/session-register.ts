import type { EndOfSessions, Tools } from "@cardea/extend";
import { type EndedStore, openEndedStore } from "./ended-store.ts";
import type { CounterOf, Entry } from "./entry.ts";
import { type FollowerParts, LogFollower } from "./follow-log.ts";
import { KnownEnds } from "./known-ends.ts";
import { Unwritten } from "./unwritten.ts";

/** Monotonic clock, in milliseconds. */
const clock = (): number => performance.now();

/** Servers with different clocks remove an entry at different times; a token must not outlive it on any of them. */
const CLOCK_DIFFERENCE = 60 * 60;

/** How long failed writes are retried in the background, in milliseconds. */
const RETRY_FOR = 60_000;

/** The new and the former value of a counter. */
export type Raised = NonNullable<EndOfSessions["epoch"]>;

/** The register of one application's ended sessions in this process. */
export interface SessionRegister {
  readonly known: KnownEnds;
  readonly stored: EndedStore;
  /** Undefined if the store has no log. */
  readonly follower: LogFollower | undefined;
  /** Whether ends that are known in this process are not, or not yet, in the store. */
  readonly isBehind: boolean;
  /** Ids of authentications whose token is older than the user's epoch, while the session is re-issued: they need no entry. */
  readonly outdated: Set<string>;
  /**
   * Takes effect immediately in this process. If the store fails, rejects and retries in the background for a minute.
   */
  write(entries: readonly Entry[]): Promise<void>;
  /**
   * Raises a counter. Takes effect and rejects like {@link SessionRegister.write}.
   *
   * @param raised What core has raised it to.
   */
  raise(of: CounterOf, id: string, raised?: EndOfSessions["epoch"]): Promise<Raised>;
  /** Expiry time for an entry created now. */
  until(): number;
}

const registers = new WeakMap<object, SessionRegister>();

/**
 * The register of the application that the tools belong to; one per application.
 *
 * @throws Error without a store.
 */
export function registerOf(t: Tools): SessionRegister {
  const found = registers.get(t.application);
  if (found !== undefined) return found;
  const made = createRegister(t);
  registers.set(t.application, made);
  return made;
}

/** Retains nothing of the request that the tools may belong to. */
function createRegister({ store, epoch, now, digest, logger, sessionLife }: Tools): SessionRegister {
  if (store === undefined) throw new Error("Ending sessions requires a `store`, and none is configured.");
  const known = new KnownEnds();
  const stored = openEndedStore({ store, epoch, now, digest });
  const { log } = store;
  const write = (entries: readonly Entry[]) => stored.write(entries);
  const report = reporter(logger);
  const follower = log && new LogFollower({ log, known, clock, now, write, report });
  const later = createRetry(follower, stored, logger);
  const until = () => now() + sessionLife + CLOCK_DIFFERENCE;

  let writing = 0;
  const writeOrRetry = async (entries: readonly Entry[]): Promise<void> => {
    for (const entry of entries) known.apply(entry);
    writing += 1;
    try {
      await stored.write(entries);
    } catch (error) {
      later.keep(entries);
      throw error;
    } finally {
      writing -= 1;
    }
  };

  return {
    known,
    stored,
    follower,
    get isBehind() {
      return writing > 0 || later.isBehind;
    },
    outdated: new Set(),
    until,
    write: writeOrRetry,
    async raise(of, id, given) {
      const floor = known.count(of, id);
      let raised: Raised;
      try {
        // A store that lost the counter may have raised it to less than this process knows.
        const isRaised = given !== undefined && given.value > floor;
        raised = isRaised ? given : await stored.counter(of, id, until()).raise(floor);
      } catch (error) {
        const entry: Entry = { kind: "count", of, id, until: until(), value: Math.max(floor + 1, now()) };
        known.apply(entry);
        later.keep([entry]);
        throw error;
      }
      await writeOrRetry([{ kind: "count", of, id, until: until(), value: raised.value }]);
      return raised;
    },
  };
}

/** Logs when this process starts and stops serving sessions from its known state. */
function reporter(logger: Tools["logger"]): FollowerParts["report"] {
  return (state) =>
    state.away
      ? logger.warn(
          "sessions-log-away: ended sessions could not be read from the store. Using the last known state until `revocation.stale` has passed:",
          state.error,
        )
      : logger.warn("sessions-log-back: ended sessions can be read again, including those that ended in the meantime.");
}

/** Entries that could not be written. */
interface Retry {
  /** Retries them for a minute. */
  keep(entries: readonly Entry[]): void;
  /** Whether there are some. */
  readonly isBehind: boolean;
}

function createRetry(follower: LogFollower | undefined, stored: EndedStore, logger: Tools["logger"]): Retry {
  const waiting = new Unwritten();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let until = 0;

  const isBehind = () => follower?.isBehind === true || waiting.size > 0;

  const flush = async (): Promise<void> => {
    // Entries queued with the follower are written before the next read of the log counts, even after this minute.
    if (follower !== undefined) return follower.sync();
    const entries = waiting.list();
    await stored.write(entries);
    waiting.remove(entries);
  };

  const schedule = (delay: number): void => {
    timer = setTimeout(async () => {
      timer = undefined;
      try {
        await flush();
        if (isBehind()) schedule(delay);
      } catch (error) {
        if (clock() < until) schedule(Math.min(2 * delay, 8_000));
        else
          logger.warn(
            "sessions-not-ended: the store was unavailable for too long, so sessions may still be active in other processes:",
            error,
          );
      }
    }, delay);
    // The timer must not keep the process alive.
    const started: unknown = timer;
    if (typeof started === "object" && started !== null && "unref" in started && typeof started.unref === "function") {
      started.unref();
    }
  };

  return {
    keep(entries) {
      until = clock() + RETRY_FOR;
      if (follower === undefined) waiting.add(entries);
      else follower.keep(entries);
      if (timer === undefined) schedule(500);
    },
    get isBehind() {
      return isBehind();
    },
  };
}
