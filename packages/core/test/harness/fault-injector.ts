/** Lets every call out of the engine pass through one place, where the n-th of them can be made to fail. Test-only. */

/** The ways in which something outside can fail the engine (safety section 3, "systematic generator"). */
export const FAULTS = [
  "throws an error",
  "throws a string",
  "throws nothing",
  "returns null",
  "returns undefined",
  "returns nonsense",
  "never settles",
  "succeeds, then throws",
] as const;

type Fault = (typeof FAULTS)[number];

/** What no call may return. */
const NONSENSE: unknown = ["nonsense"];

/** Stands between the engine and the world. */
export interface FaultInjector {
  /** Names of the calls since the last `arm` or `disarm`. */
  readonly trace: readonly string[];
  /** Makes the call at a position fail, once; resolves when it does. */
  arm(position: number, fault: Fault): Promise<void>;
  disarm(): void;
  /** Makes a call, or fails in its place. */
  through<T>(name: string, call: () => T | PromiseLike<T>): Promise<T>;
}

/** Makes an injector that lets everything through. */
export function createFaultInjector(): FaultInjector {
  let trace: string[] = [];
  let armed: { position: number; fault: Fault; reached: () => void } | undefined;
  return {
    get trace() {
      return trace;
    },
    arm: (position, fault) => {
      trace = [];
      return new Promise((resolve) => {
        armed = { position, fault, reached: resolve };
      });
    },
    disarm: () => {
      trace = [];
      armed = undefined;
    },
    through: async (name, call) => {
      const position = trace.push(name) - 1;
      if (armed?.position !== position) return call();
      const { fault, reached } = armed;
      armed = undefined;
      reached();
      return fail(fault, call);
    },
  };
}

async function fail<T>(fault: Fault, call: () => T | PromiseLike<T>): Promise<T> {
  switch (fault) {
    case "throws an error":
      throw new Error("canary fault");
    case "throws a string":
      throw "canary fault";
    case "throws nothing":
      throw undefined;
    case "returns null":
      return parseAnything(null);
    case "returns undefined":
      return parseAnything(undefined);
    case "returns nonsense":
      return parseAnything(NONSENSE);
    case "never settles":
      return new Promise(() => {});
    case "succeeds, then throws":
      await call();
      throw new Error("canary fault");
  }
}

/** What the type of a call promises is what a fault breaks. */
function parseAnything<T>(value: unknown): T {
  return value as T;
}
