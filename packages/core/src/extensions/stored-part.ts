import type { Account } from "../model/records.ts";

/** What is stored of an account, described by its difference: tokens are long, and the entry of a pending sign-in is limited. */
export interface StoredPart {
  /** Members of the account that are not stored. */
  readonly without: readonly string[];
  /** Members that are stored and that the account lacks, or has with another value. */
  readonly changed: Readonly<Record<string, unknown>>;
}

/** Describes `stored` for {@link joinStored}. */
export function storedPart(account: Account, stored: Account): StoredPart {
  return {
    without: Object.keys(account).filter((name) => !Object.hasOwn(stored, name)),
    changed: Object.fromEntries(Object.entries(stored).filter(([name, value]) => account[name] !== value)),
  };
}

/** Restores `stored`. */
export function joinStored(account: Account, { without, changed }: StoredPart): Account {
  const { provider, providerAccountId, type } = account;
  const kept = Object.entries(account).filter(([name]) => !without.includes(name));
  return { ...Object.fromEntries(kept), ...changed, provider, providerAccountId, type };
}
