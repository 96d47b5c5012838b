import type { Host } from "../host.ts";

/** A command of the CLI. */
export interface Command {
  /** Usage text after the command name. */
  readonly usage: string;
  /** One-line summary for the list of commands. */
  readonly summary: string;
  /** Help lines, one per option. */
  readonly options: readonly string[];
  /** @returns the exit code. */
  readonly run: (args: readonly string[], host: Host) => Promise<number>;
}
