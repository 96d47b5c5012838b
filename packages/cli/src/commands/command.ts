import type { Host } from "../host.ts";

/** One command of the program. */
export interface Command {
  /** What follows its name. */
  readonly usage: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** A line for each option. */
  readonly options: readonly string[];
  /** @returns the exit code. */
  readonly run: (args: readonly string[], host: Host) => Promise<number>;
}
