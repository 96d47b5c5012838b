import type { Readable, Writable } from "node:stream";

/** Where a user reads questions and answers them. */
export interface Terminal {
  /** Keys that the user presses, such as `process.stdin`. */
  readonly input: Readable;
  /** Where questions are shown, such as `process.stdout`. */
  readonly output: Writable;
}

/** The environment of the commands, apart from files and processes in `folder`. */
export interface Host {
  /** The working directory. */
  readonly folder: string;
  /** Environment variables by name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's terminal; without one, nothing is asked. */
  readonly terminal?: Terminal | undefined;
  /** Writes a line to standard output. */
  readonly write: (line: string) => void;
  /** Writes a line to standard error. */
  readonly warn: (line: string) => void;
}
