import type { Attempt, RequestTools, Tools } from "@cardea/core/extend";
import type { FindAddress } from "./client-address.ts";
import { type TriesInARow, triesInARow } from "./consecutive.ts";
import { findDevice } from "./devices.ts";
import type { Budget } from "./limiter.ts";
import type { Limit, LimitScope } from "./parse-limits.ts";

/** Actions whose secret can be guessed, with the scope that the failures count for. */
export const ROWS: Readonly<Record<string, LimitScope>> = { signin: "account", factor: "user" };

/** How an application counts attempts. */
interface CountedBy {
  /** Returns the accounts that an attempt may concern. */
  readonly accountsOf: (attempt: Attempt) => readonly string[];
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
  const subjectsOf = async (scope: LimitScope, attempt: Attempt, t: RequestTools): Promise<readonly string[][]> => {
    if (scope === "address") return findAddress === undefined ? [] : [[findAddress(t.headers)]];
    const users = attempt.userId === undefined ? [] : [attempt.userId];
    const names = scope === "user" ? users : accountsOf(attempt);
    return Promise.all(
      names.map(async (name) => {
        const device = knownDevice ? await findDevice(t, scope, name) : undefined;
        return device === undefined ? [name] : [name, device];
      }),
    );
  };

  /** Consecutive failures are counted only for secrets that can be guessed. */
  const rowsOf = async (action: string, attempt: Attempt, t: RequestTools): Promise<readonly TriesInARow[]> => {
    const scope = ROWS[action];
    const subjects = scope === undefined ? [] : await subjectsOf(scope, attempt, t);
    const rows = subjects.map((subject) => scope && openRow(t, scope, subject, grows));
    return (await Promise.all(rows)).filter((row) => row !== undefined);
  };

  const budgetsOf = async (attempt: Attempt, t: RequestTools): Promise<readonly Budget[]> => {
    const budgets = (limits.get(attempt.action) ?? []).map(async (limit) => {
      const { times, interval, scope } = limit;
      const subjects = await subjectsOf(scope, attempt, t);
      const keys = subjects.map((subject) => t.key(attempt.action, scope, `${times}/${interval}`, ...subject));
      return (await Promise.all(keys)).map((key) => ({ key, limit }));
    });
    return (await Promise.all(budgets)).flat();
  };

  return { rowsOf, budgetsOf };
}

/** The consecutive failures of an account or of a user's second factor; undefined without a store. */
export function openRow(
  t: Tools,
  scope: LimitScope,
  subject: readonly string[],
  grows: boolean,
): Promise<TriesInARow> | undefined {
  const { store } = t;
  return store && t.key("row", scope, ...subject).then((key) => triesInARow(store, key, t.now, grows));
}
