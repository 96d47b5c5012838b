import type { Seconds } from "@cardea/extend";

/** Thrown if too many hashes are waiting; the caller responds with 503. */
export class PoolFull extends Error {
  /** When to retry. */
  readonly retryAfter: Seconds;

  constructor(retryAfter: Seconds) {
    super("Too many passwords are being checked.");
    this.name = "PoolFull";
    this.retryAfter = retryAfter;
  }
}

/** The resources of a machine. */
export interface Machine {
  readonly cores: number;
  /** Threads of libuv's pool, which is also used by WebCrypto and therefore by session reads. */
  readonly threads: number;
  /** Memory available to the process, in bytes. */
  readonly memory: number;
}

/** Limits the number of concurrent hashes. */
export interface Pool {
  /**
   * Runs work when it is its turn.
   *
   * @param places How many places it takes, because it needs so many times the memory of others; default 1.
   * @throws PoolFull if too many are waiting, or the work waited too long; and errors of the work.
   */
  run<T>(work: () => Promise<T>, places?: number): Promise<T>;
}

/** The number of concurrent hashes. Leaves one core, two threads and three quarters of the memory free. */
export function parallelFor({ cores, threads, memory }: Machine, memoryPerHash: number): number {
  return Math.max(1, Math.floor(Math.min(cores - 1, threads - 2, memory / 4 / Math.max(1, memoryPerHash))));
}

/** The maximum number of waiting requests; more would only use memory. */
const MAX_WAITING = 1000;

/** Work that waits for its turn. */
interface Waiting {
  readonly places: number;
  start(): void;
  refuse(reason: PoolFull): void;
  /** When it is refused, in milliseconds of `performance.now()`. */
  readonly until: number;
}

/**
 * Creates a pool.
 *
 * 1. Work begins in the order in which it came, as soon as `parallel` has a place for it. Work that takes more places than there are runs
 *    alone.
 * 2. Work that waited for `wait` seconds is refused; one in each turn of the event loop, so that a hundred answers at the same moment hold
 *    up no other request.
 */
export function createPool(parallel: number, wait: Seconds): Pool {
  const waiting: Waiting[] = [];
  const full = () => new PoolFull(Math.ceil(wait));
  let running = 0;
  /** For the first one that waits; `"fired"` until that one is looked at. */
  let timer: ReturnType<typeof setTimeout> | "fired" | undefined;
  const watch = () => {
    const [first] = waiting;
    if (first === undefined || timer !== undefined) return;
    timer = setTimeout(
      () => {
        timer = "fired";
        inNextTurn(refuse);
      },
      Math.max(0, first.until - performance.now()),
    );
  };
  const refuse = () => {
    timer = undefined;
    const [first] = waiting;
    if (first !== undefined && first.until <= performance.now()) {
      waiting.shift();
      first.refuse(full());
      // What comes next may need fewer places.
      startNext();
    }
    watch();
  };
  const hasPlace = (places: number) => running === 0 || running + places <= parallel;
  const startNext = () => {
    for (let [first] = waiting; first !== undefined && hasPlace(first.places); [first] = waiting) {
      waiting.shift();
      running += first.places;
      first.start();
    }
  };
  const end = (places: number) => {
    running -= places;
    startNext();
    if (waiting.length > 0 || timer === "fired") return;
    clearTimeout(timer);
    timer = undefined;
  };
  const turn = (places: number): Promise<void> =>
    new Promise((start, refuse) => {
      waiting.push({ places, start, refuse, until: performance.now() + wait * 1000 });
      watch();
    });
  return {
    async run(work, places = 1) {
      if (waiting.length === 0 && hasPlace(places)) running += places;
      else if (waiting.length >= MAX_WAITING) throw full();
      else await turn(places);
      try {
        return await work();
      } finally {
        end(places);
      }
    },
  };
}

/** Runs a function in the next turn of the event loop. */
function inNextTurn(run: () => void): void {
  const defer: unknown = Reflect.get(globalThis, "setImmediate");
  if (typeof defer === "function") defer(run);
  else setTimeout(run, 0);
}

/** The resources of this machine; one core if the runtime does not report them. */
export function thisMachine(): Machine {
  const process: unknown = Reflect.get(globalThis, "process");
  if (!isNode(process)) return { cores: 1, threads: 4, memory: 128 * 2 ** 20 };
  const os = process.getBuiltinModule("node:os");
  const limit = process.constrainedMemory?.() ?? 0;
  const total = os.totalmem();
  const threads = threadsOf(process.env.UV_THREADPOOL_SIZE);
  return { cores: os.availableParallelism(), threads, memory: limit > 0 ? Math.min(limit, total) : total };
}

/** Threads of libuv's pool, by the environment: https://docs.libuv.org/en/v1.x/threadpool.html; text that is not a number means one. */
export function threadsOf(text: string | undefined): number {
  const count = Number.parseInt(text ?? "4", 10) || 1;
  return count < 0 ? 1024 : Math.min(count, 1024);
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
