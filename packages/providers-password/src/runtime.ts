import type { Tools } from "@cardea/core/extend";
import { createPool, type Pool, parallelFor, thisMachine } from "./hash/pool.ts";
import type { Settings } from "./options.ts";

/** What an application keeps in memory: a configuration function makes a new provider for each request. */
export interface Runtime {
  readonly pool: Pool;
  /** Begins a request whose answer must not tell by its time what was found. */
  begin(): Promise<Clock>;
}

/** The time of one answer. */
export interface Clock {
  /** Runs a hash in the pool. */
  hash<T>(work: () => Promise<T>): Promise<T>;
  /** Waits until the time at which every answer is sent. */
  end(): Promise<void>;
}

/** Runs of a measurement: the first one is slower. */
const RUNS = 3;

/** Timers and databases are not exact: cheap hashes, as in tests, get this at least. In milliseconds. */
const MIN_SLACK = 10;

/** So many of the last checks say how slow the machine is now. */
const REMEMBERED = 32;

const runtimes = new WeakMap<object, Runtime>();

/** The runtime of an application; made with its first use. */
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
  const pool = createPool(parallel, settings.wait);
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
    async begin() {
      const dearest = await measure();
      let begun = performance.now();
      return {
        hash: async (work) => {
          const asked = performance.now();
          return pool.run(async () => {
            const started = performance.now();
            // Who waited for a turn is answered by the turn, or the time before it would show.
            if (started - asked > 1) begun = started;
            try {
              return await work();
            } finally {
              recent.push(performance.now() - started);
              if (recent.length > REMEMBERED) recent.shift();
            }
          });
        },
        async end() {
          const slowest = Math.max(dearest, ...recent);
          await sleepUntil(begun + Math.max(slowest * 1.1, slowest + MIN_SLACK));
        },
      };
    },
  };
}

/** How long a check takes in the slowest of the configured formats, in milliseconds. */
async function measureDearest({ formats }: Settings): Promise<number> {
  const times: number[] = [];
  for (const format of formats) {
    const sample = await format.sample();
    for (let run = 0; run < RUNS; run++) {
      const started = performance.now();
      await format.verify("not the password", sample);
      times.push(performance.now() - started);
    }
  }
  return Math.max(...times);
}

/** Timers may fire a millisecond early. */
async function sleepUntil(time: number): Promise<void> {
  for (let left = time - performance.now(); left > 0; left = time - performance.now()) {
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(left)));
  }
}
