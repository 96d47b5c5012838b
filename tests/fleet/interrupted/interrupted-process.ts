import type { Adapter } from "@cardea/core/adapters";

/** Every method, as the adapters of this repository have them. */
export type WholeAdapter = Required<Adapter>;

/** What happens at a call: others go first, and then the call is carried out or, as with `kill -9`, neither it nor a later one. */
interface Interruption {
  /** From 0. */
  readonly call: number;
  readonly isKilled: boolean;
  readonly meanwhile: () => Promise<unknown>;
}

/** The connection of a process to its database, which a test can interrupt. */
export interface InterruptedProcess {
  readonly adapter: WholeAdapter;
  /** Counts from now on, and interrupts the process once. */
  begin(interruption?: Interruption): void;
  /** The calls since `begin`, also those to the store. */
  calls(): readonly string[];
}

/** Wraps the connection of a process. */
export function interruptedProcess(whole: WholeAdapter): InterruptedProcess {
  let next: Interruption | undefined;
  let calls: string[] = [];
  let isDead = false;
  const enter = async (name: string): Promise<void> => {
    calls.push(name);
    const { call, isKilled = false, meanwhile } = next ?? {};
    if (calls.length - 1 === call) {
      next = undefined;
      if (!isKilled) await meanwhile?.();
      isDead = isKilled;
    }
    // Its visitors receive no answer; an error, which comes sooner, has the same effect on the database.
    if (isDead) throw new Error("The process was killed.");
  };
  const watch = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(_, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member === "object" && member !== null) return watch(member);
        if (typeof member !== "function") return member;
        return async (...args: unknown[]) => {
          await enter(String(name));
          return Reflect.apply(member, target, args);
        };
      },
    });
  return {
    adapter: watch(whole),
    begin(interruption) {
      next = interruption;
      calls = [];
    },
    calls: () => calls,
  };
}
