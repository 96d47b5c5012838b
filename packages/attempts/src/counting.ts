import type { Attempt, RequestTools, Tools } from "@cardea/extend";
import type { Account } from "./account-of.ts";
import type { FindAddress } from "./client-address.ts";
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

/** A budget with what it is for. */
export interface ScopedBudget extends Budget {
  readonly scope: LimitScope;
}

/** What an attempt is counted under. */
interface Subject {
  /** The name in all its spellings and, on a known device, the device; or the network address. */
  readonly parts: readonly string[];
  /** See {@link Account.exact}; absent for a network address. */
  readonly exact?: string;
}

/** Finds the device of a browser, for one name. */
export type Devices = (t: RequestTools, scope: "account" | "user", name: string) => Promise<string | undefined>;

/** Determines what an attempt is counted under: its limits and, if a secret can be guessed, consecutive failures. */
export function counting({ accountsOf, findAddress, knownDevice, limits, grows }: CountedBy) {
  /** The subjects of an attempt; empty if the scope does not apply to it. */
  const subjectsOf = async (
    scope: LimitScope,
    attempt: Attempt,
    t: RequestTools,
    devices: Devices,
  ): Promise<readonly Subject[]> => {
    if (scope === "address") return findAddress === undefined ? [] : [{ parts: [findAddress(t.headers)] }];
    const users = attempt.userId === undefined ? [] : [{ name: attempt.userId, exact: attempt.userId }];
    const named = scope === "user" ? users : accountsOf(attempt);
    const isMessage = scope === "account" && attempt.identifier !== undefined && MESSAGES.has(attempt.action);
    const accounts = isMessage ? named.map(({ exact }) => ({ name: exact, exact })) : named;
    // An attempt counts once for a name, however many fields submit a spelling of it.
    const names = accounts.filter(({ name }, n) => accounts.findIndex((one) => one.name === name) === n);
    return Promise.all(
      names.map(async ({ name, exact }) => {
        const device = knownDevice && exact !== "" ? await devices(t, scope, exact) : undefined;
        return { parts: device === undefined ? [name] : [name, device], exact };
      }),
    );
  };

  return {
    /** @param devices Where the devices are known already. */
    async budgetsOf(
      attempt: Attempt,
      t: RequestTools,
      devices: Devices = findDevice,
    ): Promise<readonly ScopedBudget[]> {
      const { action } = attempt;
      const all = limits.get(action) ?? [];
      const row = ROWS[action];
      const scopes = new Set([...all.map(({ scope }) => scope), ...(row === undefined ? [] : [row])]);
      const budgets = [...scopes].map(async (scope) => {
        const subjects = await subjectsOf(scope, attempt, t, devices);
        return Promise.all(
          subjects.map(async (subject) => {
            // A lockout of what has no name would be one of everybody.
            const counts = scope === row && subject.exact !== "";
            const budget = await openBudget(t, action, scope, subject, all);
            return counts ? { ...budget, row: grows ? ("growing" as const) : ("steady" as const) } : budget;
          }),
        );
      });
      return (await Promise.all(budgets)).flat();
    },
  };
}

/** The attempts of a subject at an action; without consecutive failures. */
export async function openBudget(
  t: Tools,
  action: string,
  scope: LimitScope,
  { parts, exact }: Subject,
  limits: readonly Limit[] = [],
): Promise<ScopedBudget> {
  const key = await t.key("tried", action, scope, ...parts);
  const own = exact === undefined ? "" : (await t.key("own", exact, action, scope, ...parts)).slice(-8);
  return { key, own, scope, limits: limits.filter((limit) => limit.scope === scope), row: "none" };
}
