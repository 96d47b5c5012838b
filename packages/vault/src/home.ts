import type { KeptTokens } from "./tokens.ts";

/** An account at a provider. */
export interface AccountKey {
  readonly provider: string;
  readonly account: string;
}

/** Tokens as they were read, and what they are compared by when they are replaced. */
export interface Reading {
  readonly tokens: KeptTokens;
  /** The stored text, byte by byte; null where there is none. */
  readonly text: string | null;
}

/** Where the tokens of one account, or of one session, are kept. */
export interface Home {
  /** Unique in the application: what locks and running refreshes are named after. */
  readonly name: string;
  readonly key: AccountKey;
  /** True where nothing can be written now: then nothing is refreshed either. */
  readonly isReadOnly?: boolean;
  read(): Promise<Reading>;
  /** Replaces what was read; false, and nothing is changed, when something else is there by now. */
  swap(before: Reading, next: KeptTokens): Promise<boolean>;
}

/** How often a write begins again because another was faster. */
const TRIES = 5;

/** Writes, whatever is there. @throws when others are always faster. */
export async function put(home: Home, change: (before: KeptTokens) => KeptTokens): Promise<void> {
  for (let n = 0; n < TRIES; n++) {
    const before = await home.read();
    if (await home.swap(before, change(before.tokens))) return;
  }
  throw new Error("The tokens of an account changed again and again while they were being written.");
}
