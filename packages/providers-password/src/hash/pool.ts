import type { Seconds } from "@cardea/core/extend";

/** Too many hashes are waiting: the caller answers 503. */
export class PoolFull extends Error {
  /** When to try again. */
  readonly retryAfter: Seconds;

  constructor(retryAfter: Seconds) {
    super("Too many passwords are being checked.");
    this.name = "PoolFull";
    this.retryAfter = retryAfter;
  }
}

/** What a machine has for hashes. */
export interface Machine {
  readonly cores: number;
  /** Threads of libuv's pool, which WebCrypto and thus the reads of sessions share. */
  readonly threads: number;
  /** Memory that the process may use, in bytes. */
  readonly memory: number;
}

/** Bounds the hashes that run at the same time. */
export interface Pool {
  /**
   * Runs a piece of work when it is its turn.
   *
   * @throws PoolFull when too many wait, or it waited too long; and what the work throws.
   */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** How many hashes run at once: one core, two threads and three quarters of the memory stay free for everything else. */
export function parallelFor({ cores, threads, memory }: Machine, memoryPerHash: number): number {
  return Math.max(1, Math.floor(Math.min(cores - 1, threads - 2, memory / 4 / Math.max(1, memoryPerHash))));
}

/** More waiting requests than this would only hold memory. */
const MAX_WAITING = 1000;

/** Creates a pool. `wait`: how long a hash may wait for its turn. */
export function createPool(parallel: number, wait: Seconds): Pool {
  const waiting: (() => void)[] = [];
  let running = 0;
  const next = () => {
    running -= 1;
    waiting.shift()?.();
  };
  const turn = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        running += 1;
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(start), 1);
        reject(new PoolFull(Math.ceil(wait)));
      }, wait * 1000);
      waiting.push(start);
    });
  return {
    async run(work) {
      if (running < parallel) running += 1;
      else if (waiting.length >= MAX_WAITING) throw new PoolFull(Math.ceil(wait));
      else await turn();
      try {
        return await work();
      } finally {
        next();
      }
    },
  };
}

/** The machine of this process; a runtime that tells nothing counts as one core. */
export function thisMachine(): Machine {
  const process: unknown = Reflect.get(globalThis, "process");
  if (!isNode(process)) return { cores: 1, threads: 4, memory: 128 * 2 ** 20 };
  const os = process.getBuiltinModule("node:os");
  const limit = process.constrainedMemory?.() ?? 0;
  const total = os.totalmem();
  const threads = Number(process.env.UV_THREADPOOL_SIZE ?? 4) || 4;
  return { cores: os.availableParallelism(), threads, memory: limit > 0 ? Math.min(limit, total) : total };
}

interface NodeProcess {
  getBuiltinModule(id: "node:os"): typeof import("node:os");
  constrainedMemory?(): number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

function isNode(process: unknown): process is NodeProcess {
  return (
    typeof process === "object" && process !== null && typeof Reflect.get(process, "getBuiltinModule") === "function"
  );
}
