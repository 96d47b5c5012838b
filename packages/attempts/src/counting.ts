import type { Attempt, RequestTools, Tools } from "@cardea/core/extend";
import type { Account } from "./account-of.ts";
import type { FindAddress } from "./client-address.ts";
import { type TriesInARow, triesInARow } from "./consecutive.ts";
import { findDevice } from "./devices.ts";
import type { Budget } from "./limiter.ts";
import type { Limit, LimitScope } from "./parse-limits.ts";

/** Actions whose secret can be guessed, with the scope that the failures count for. */
const ROWS: Readonly<Record<string, LimitScope>> = { signin: "account", factor: "user" };

/**
 * Actions that send a message to an address. They are counted for exactly this address: with all that resembles it, a stranger
 * could use up the messages of its owner, who would receive none of them.
 */
const MESSAGES: ReadonlySet<string> = new Set(["email", "register", "reset"]);

/** How an application counts attempts. */
interface CountedBy {
  /** Returns the accounts that an attempt may concern. */
  readonly accountsOf: (attempt: Attempt) => readonly Account[];
  /** Undefined: attempts are not limited by address. */
  readonly findAddress: FindAddress | undefined;
  readonly knownDevice: boolean;
  readonly limits: ReadonlyMap<string, readonly Limit[]>;
  /** Whether the delay between two attempts grows. */
  readonly grows: boolean;
}

/** Determines what an attempt is counted under: its limits and, if a secret can be guessed, consecutive failures. */
export function counting({ accountsOf, findAddress, knownDevice, limits, grows }: CountedBy) {
  /** The subjects of an attempt; empty if the scope does not apply to it. */
  const subjectsOf = async (scope: LimitScope, attempt: Attempt, t: RequestTools): Promise<readonly Subject[]> => {
    if (scope === "address") return findAddress === undefined ? [] : [{ parts: [findAddress(t.headers)] }];
    const users = attempt.userId === undefined ? [] : [{ name: attempt.userId, exact: attempt.userId }];
    const named = scope === "user" ? users : accountsOf(attempt);
    const isMessage = scope === "account" && attempt.identifier !== undefined && MESSAGES.has(attempt.action);
    const accounts = isMessage ? named.map(({ exact }) => ({ name: exact, exact })) : named;
    // An attempt counts once for a name, however many fields submit a spelling of it.
    const names = accounts.filter(({ name }, n) => accounts.findIndex((one) => one.name === name) === n);
    return Promise.all(
      names.map(async ({ name, exact }) => {
        const device = knownDevice && exact !== "" ? await findDevice(t, scope, exact) : undefined;
        return { parts: device === undefined ? [name] : [name, device], exact };
      }),
    );
  };

  /** Consecutive failures are counted only for secrets that can be guessed. */
  const rowsOf = async (action: string, attempt: Attempt, t: RequestTools): Promise<readonly TriesInARow[]> => {
    const scope = ROWS[action];
    const all = scope === undefined ? [] : await subjectsOf(scope, attempt, t);
    // A lockout of what has no name would be one of everybody.
    const subjects = all.filter(({ exact }) => exact !== "");
    const rows = subjects.map((subject) => scope && openRow(t, scope, subject, grows));
    return (await Promise.all(rows)).filter((row) => row !== undefined);
  };

  const budgetsOf = async (attempt: Attempt, t: RequestTools): Promise<readonly Budget[]> => {
    const budgets = (limits.get(attempt.action) ?? []).map(async (limit) => {
      const { times, interval, scope } = limit;
      const subjects = await subjectsOf(scope, attempt, t);
      const keysOf = subjects.map(async ({ parts, exact }): Promise<Budget> => {
        const about = [attempt.action, scope, `${times}/${interval}`, ...parts];
        const key = await t.key(...about);
        return exact === undefined ? { key, limit } : { key, own: await t.key(OWN, exact, ...about), limit };
      });
      return Promise.all(keysOf);
    });
    return (await Promise.all(budgets)).flat();
  };

  return { rowsOf, budgetsOf };
}

/** What an attempt is counted under. */
interface Subject {
  /** The name in all its spellings and, on a known device, the device; or the network address. */
  readonly parts: readonly string[];
  /** See {@link Account.exact}; absent for a network address. */
  readonly exact?: string;
}

/** Part of the keys of exact names. */
const OWN = "own";

/** The consecutive failures of an account or of a user's second factor; undefined without a store. */
export function openRow(
  t: Tools,
  scope: LimitScope,
  { parts, exact = "" }: Subject,
  grows: boolean,
): Promise<TriesInARow> | undefined {
  const { store } = t;
  if (store === undefined) return undefined;
  const keys = Promise.all([t.key("row", scope, ...parts), t.key(OWN, exact, "row", scope, ...parts)]);
  return keys.then(([all, own]) => triesInARow(store, { all, own }, t.now, grows));
}
