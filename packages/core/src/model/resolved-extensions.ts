import type { ActionSpec, Extension, SessionFormat } from "./extension.ts";

/** The extensions of a configuration, checked. */
export interface ResolvedExtensions {
  readonly list: readonly Extension[];
  /** Actions by first segment, then by method. */
  readonly actions: ReadonlyMap<string, ReadonlyMap<string, ExtensionAction>>;
  readonly formats: readonly SessionFormat[];
  /** Whether some extension checks sessions. */
  readonly checks: boolean;
  /** Whether a record of each session is kept. */
  readonly recordsSessions: boolean;
  /** Whether session tokens are stored as hashes. */
  readonly hashesTokens: boolean;
  /** What calls them, once it is loaded; see `context/extension-runner.ts`. */
  runner: object | undefined;
  load(): Promise<object>;
}

/** One action and whose it is. */
export interface ExtensionAction {
  readonly extension: Extension;
  readonly spec: ActionSpec;
}
