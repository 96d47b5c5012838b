import { retryChange } from "@cardea/extend";
import type { KeptTokens } from "./tokens.ts";

/** An account at a provider. */
export interface AccountKey {
  readonly provider: string;
  readonly account: string;
}

/** Tokens as read, with the text used for compare-and-set. */
export interface Reading {
  readonly tokens: KeptTokens;
  /** The exact stored text; null if there is none. */
  readonly text: string | null;
}

/** The location of the tokens of one account or session. */
export interface Home {
  /** Unique in the application. Identifies locks and running refreshes. */
  readonly name: string;
  readonly key: AccountKey;
  /** True if nothing can be written now, so tokens are not refreshed. */
  readonly isReadOnly?: boolean;
  read(): Promise<Reading>;
  /** Replaces the tokens that were read. Returns false without a change if they were replaced in the meantime. */
  swap(before: Reading, next: KeptTokens): Promise<boolean>;
}

/** Writes regardless of the stored tokens. @throws if concurrent changes persist. */
export async function put(home: Home, change: (before: KeptTokens) => KeptTokens): Promise<void> {
  await retryChange(async () => {
    const before = await home.read();
    return (await home.swap(before, change(before.tokens))) || undefined;
  }, "The tokens of an account");
}
