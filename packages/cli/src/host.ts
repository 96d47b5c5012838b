/** What the commands use of the machine, besides files and processes below `folder`. */
export interface Host {
  /** Where the command was called. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a user can answer questions. */
  readonly isInteractive: boolean;
  /** Writes a line of the result. */
  readonly write: (line: string) => void;
  /** Writes a line about a failure. */
  readonly warn: (line: string) => void;
}
