import type { Tools } from "@cardea/core/extend";
import { type EndedStore, openEndedStore, type Raised } from "./ended-store.ts";
import type { CounterOf, Entry } from "./entry.ts";
import { LogFollower } from "./follow-log.ts";
import { KnownEnds } from "./known-ends.ts";

/** A clock that is never set back, in milliseconds. */
const clock = (): number => performance.now();

/** Two servers whose clocks differ forget an end at different times; a token must not outlive it on either. */
const CLOCK_DIFFERENCE = 60 * 60;

/** For how long, in milliseconds, what could not be written is tried again in the background. */
const RETRY_FOR = 60_000;

/** The ended sessions of one application in this process. */
export interface SessionRegister {
  readonly known: KnownEnds;
  readonly stored: EndedStore;
  /** Undefined where the store has no log. */
  readonly follower: LogFollower | undefined;
  /** Counts at once in this process. Rejects where the store fails; it is tried again in the background for a minute then. */
  write(entries: readonly Entry[]): Promise<void>;
  /** Raises a counter; at once in this process, and rejects as {@link SessionRegister.write}. */
  raise(of: CounterOf, id: string): Promise<Raised>;
  /** Until when an end that is made now is remembered. */
  until(): number;
}

const registers = new WeakMap<object, SessionRegister>();

/**
 * The register of the application that tools are of; one for each.
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

/** Keeps nothing of the request that the tools may be of. */
function createRegister({ store, now, digest, logger, sessionLife }: Tools): SessionRegister {
  if (store === undefined) throw new Error("Ended sessions are kept in a store, and none is configured.");
  const known = new KnownEnds();
  const stored = openEndedStore({ store, now, digest });
  const { log } = store;
  const write = (entries: readonly Entry[]) => stored.write(entries);
  const follower = log && new LogFollower({ log, known, clock, now, write });
  const later = createRetry(follower, stored, logger);
  const until = () => now() + sessionLife + CLOCK_DIFFERENCE;

  const writeOrRetry = async (entries: readonly Entry[]): Promise<void> => {
    for (const entry of entries) known.apply(entry);
    try {
      await stored.write(entries);
    } catch (error) {
      later(entries);
      throw error;
    }
  };

  return {
    known,
    stored,
    follower,
    until,
    write: writeOrRetry,
    async raise(of, id) {
      const floor = known.count(of, id);
      let raised: Raised;
      try {
        raised = await stored.raise(of, id, floor);
      } catch (error) {
        const entry: Entry = { kind: "count", of, id, until: until(), value: Math.max(floor + 1, now()) };
        known.apply(entry);
        later([entry]);
        throw error;
      }
      await writeOrRetry([{ kind: "count", of, id, until: until(), value: raised.value }]);
      return raised;
    },
  };
}

/** Writes what could not be written, again and again, for a minute. */
function createRetry(follower: LogFollower | undefined, stored: EndedStore, logger: Tools["logger"]) {
  let waiting: Entry[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let until = 0;

  const flush = async (): Promise<void> => {
    // What is kept with the follower is written before the next read of the log counts, also after this minute.
    if (follower !== undefined) return follower.sync();
    const entries = waiting;
    await stored.write(entries);
    waiting = waiting.slice(entries.length);
  };

  const schedule = (delay: number): void => {
    timer = setTimeout(async () => {
      timer = undefined;
      try {
        await flush();
        if (follower?.isBehind || waiting.length > 0) schedule(delay);
      } catch (error) {
        if (clock() < until) schedule(Math.min(2 * delay, 8_000));
        else logger.warn(`sessions-not-ended: the store was away for too long to end sessions everywhere: ${error}`);
      }
    }, delay);
    // It must not keep a process from ending.
    const started: unknown = timer;
    if (typeof started === "object" && started !== null && "unref" in started && typeof started.unref === "function") {
      started.unref();
    }
  };

  return (entries: readonly Entry[]): void => {
    until = clock() + RETRY_FOR;
    if (follower === undefined) waiting.push(...entries);
    else follower.keep(entries);
    if (timer === undefined) schedule(500);
  };
}
