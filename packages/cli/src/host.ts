/** The environment of the commands, apart from files and processes in `folder`. */
export interface Host {
  /** The working directory. */
  readonly folder: string;
  /** Environment variables by name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a user can answer questions. */
  readonly isInteractive: boolean;
  /** Writes a line to standard output. */
  readonly write: (line: string) => void;
  /** Writes a line to standard error. */
  readonly warn: (line: string) => void;
}
