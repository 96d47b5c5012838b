import type { Tools } from "@cardea/extend";
import type { HashFormat } from "./hash/format.ts";
import { createPool, type Pool, parallelFor, thisMachine } from "./hash/pool.ts";
import type { Settings } from "./options.ts";

/**
 * The in-memory state of an application. It is separate from the provider, because a configuration function creates a
 * new provider for each request.
 */
export interface Runtime {
  readonly pool: Pool;
  /**
   * Starts a request whose response time must not reveal what was found.
   *
   * @param checks How many checks a wrong password of this request takes; default 1.
   */
  begin(checks?: number): Promise<Clock>;
}

/** The timing of one response. */
export interface Clock {
  /**
   * Runs a hash in the pool.
   *
   * @param memory What it needs, in bytes, if that may be more than any format declares.
   */
  hash<T>(work: () => Promise<T>, memory?: number): Promise<T>;
  /** Waits until the time at which every response is sent. */
  end(): Promise<void>;
}

/** Runs per measurement, because the first one is slower. */
const RUNS = 3;

/** Minimum slack in milliseconds, for cheap hashes as in tests: timers and databases are not exact. */
const MIN_SLACK = 10;

/** Longest time until a response in milliseconds: a machine that slept during a check measures hours. */
const LONGEST = 30_000;

/** The number of recent checks that determine the current speed of the machine. */
const REMEMBERED = 32;

const runtimes = new WeakMap<object, Runtime>();

/** Pools by their settings: applications of one process, such as tenants, share its processors and its memory. */
const pools = new Map<string, Pool>();

function poolOf(parallel: number, { wait }: Settings, memory: number): Pool {
  const use = JSON.stringify([parallel, wait, memory]);
  const pool = pools.get(use) ?? createPool(parallel, wait);
  pools.set(use, pool);
  return pool;
}

/** The runtime of an application, created on first use. */
export function runtimeOf(t: Pick<Tools, "application">, settings: Settings): Runtime {
  const known = runtimes.get(t.application);
  if (known !== undefined) return known;
  const runtime = createRuntime(settings);
  runtimes.set(t.application, runtime);
  return runtime;
}

function createRuntime(settings: Settings): Runtime {
  const memory = Math.max(...settings.formats.map((format) => format.memory));
  const parallel = settings.parallel === "auto" ? parallelFor(thisMachine(), memory) : settings.parallel;
  const pool = poolOf(parallel, settings, memory);
  const recent: number[] = [];
  let measured: Promise<number> | undefined;
  const measure = async () => {
    measured ??= pool.run(() => measureDearest(settings));
    try {
      return await measured;
    } catch (error) {
      measured = undefined;
      throw error;
    }
  };
  return {
    pool,
    async begin(checks = 1) {
      const dearest = await measure();
      let begun = performance.now();
      return {
        hash: async (work, needed = 0) => {
          const asked = performance.now();
          return pool.run(
            async () => {
              const started = performance.now();
              // A request that waited for its turn is timed from that turn; otherwise the waiting time would be visible.
              if (started - asked > 1) begun = started;
              try {
                return await work();
              } finally {
                recent.push((performance.now() - started) / checks);
                if (recent.length > REMEMBERED) recent.shift();
              }
            },
            Math.max(1, Math.ceil(needed / memory)),
          );
        },
        async end() {
          const slowest = checks * Math.max(dearest, ...recent);
          await sleepUntil(begun + Math.min(Math.max(slowest * 1.1, slowest + MIN_SLACK), LONGEST));
        },
      };
    },
  };
}

/** Duration of checking a wrong password in the slowest configured format, in milliseconds. See `verifyHash()`. */
async function measureDearest({ hash, formats }: Settings): Promise<number> {
  const own = await measure(hash);
  let dearest = own;
  for (const format of formats) if (format !== hash) dearest = Math.max(dearest, own + (await measure(format)));
  return dearest;
}

async function measure(format: HashFormat): Promise<number> {
  const times: number[] = [];
  const sample = await format.sample();
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now();
    await format.verify("not the password", sample);
    times.push(performance.now() - started);
  }
  return Math.max(...times);
}

/** Timers may fire a millisecond early. */
async function sleepUntil(time: number): Promise<void> {
  for (let left = time - performance.now(); left > 0; left = time - performance.now()) {
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(left)));
  }
}
