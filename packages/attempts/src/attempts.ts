import {
  type Attempt,
  type AttemptVerdict,
  checkOptions,
  defineExtension,
  type Extension,
  type Handled,
  handleOf,
  optionRules,
  type RequestTools,
  type Seconds,
  type Store,
  type Tools,
} from "@cardea/extend";
import { type Account, accountNamed, accountsOf as namedAccounts, namesOf, UNNAMED } from "./account-of.ts";
import { addressFinder, type ClientAddress, platformAddress } from "./client-address.ts";
import { counting, type Devices, openBudget } from "./counting.ts";
import { rememberDevice } from "./devices.ts";
import { forgetDevicesOf } from "./forget-devices.ts";
import { changeRow, createLimiter, forgetTried, type Limiter } from "./limiter.ts";
import { type Limit, parseLimits } from "./parse-limits.ts";

/** Settings of {@link attempts}. */
export interface AttemptsOptions {
  /**
   * How to determine the address of a client. Default: the header of the platform on Vercel and Cloudflare; elsewhere, and with
   * false, attempts are not limited by address.
   */
  readonly client?: ClientAddress | false;
  /**
   * Limits by action, such as `"10/10m/account, 30/1m/address"`. They override the defaults; an empty string disables a
   * limit.
   */
  readonly limits?: Readonly<Record<string, string>>;
  /**
   * Returns the account that an attempt concerns. Default: the e-mail address, or the field `email`, `username`,
   * `login` or similar. Set it if a form has several of these fields. Otherwise an attempt counts for each of them, and
   * a success only cancels itself.
   */
  readonly accountOf?: (attempt: Attempt) => string | undefined;
  /** Whether a browser in which the user has signed in before has a separate limit for that account. Default: true. */
  readonly knownDevice?: boolean;
  /**
   * `"growing"`: after three consecutive failures, each further attempt must wait 1, 2, 4 seconds and so on, up to a
   * minute. Default: `"none"`. With either value, the account is locked after one hundred consecutive failures; see
   * {@link AttemptsOperations.unlock}.
   */
  readonly delay?: "none" | "growing";
  /**
   * What to do while the store is unavailable: `"local"` (default) allows a quarter of each limit in every process,
   * `"deny"` rejects all attempts.
   */
  readonly onStoreDown?: "local" | "deny";
}

const defaults: Readonly<Record<string, string>> = {
  signin: "10/10m/account, 30/1m/address",
  email: "5/10m/account, 30/10m/address",
  // Apart from `email`: the owner of an account receives no link that way, and must still get one.
  register: "5/10m/account, 30/10m/address",
  // Not limited by account: a link cannot be guessed, and an attacker who requests e-mails must not lock out the
  // account owner.
  "email-link": "30/10m/address",
  // Core limits guesses at codes by e-mail address. This limit is by network address, for guesses spread over many
  // accounts.
  "email-code": "30/10m/address",
  factor: "5/5m/user",
  reset: "3/1h/account",
  oauth: "30/1m/address",
};

const WARNING =
  "attempts-unnamed: attempts without a recognised account name share one limit. Return the account from the option `accountOf` of attempts().";

/** Actions that prove access to the account's mailbox. */
const BY_EMAIL: ReadonlySet<string> = new Set(["email-link", "email-code"]);

/** The error code that a client receives when an attempt is rejected. */
const CODE = "too_many_attempts";

/**
 * Limits sign-in attempts per account, per address and per user, across all processes that share the store (ASVS 6.1.1,
 * 6.3.1, 6.6.3). All attempts count: HTTP requests, server actions and calls of `signIn()`.
 *
 * @throws TypeError for an invalid option, limit or proxy.
 */
export function attempts(options: AttemptsOptions = {}): Extension {
  const { any, boolean, callable, object, oneOf } = optionRules;
  checkOptions("attempts()", options, {
    ...{ client: any, limits: object, accountOf: callable, knownDevice: boolean },
    ...{ delay: oneOf("none", "growing"), onStoreDown: oneOf("local", "deny") },
  });
  const { client, delay, knownDevice = true, onStoreDown = "local", accountOf } = options;
  const hasTooManyNames = (attempt: Attempt): boolean => accountOf === undefined && namedAccounts(attempt) === null;
  const accountsOf = (attempt: Attempt): readonly Account[] =>
    accountOf === undefined ? (namedAccounts(attempt) ?? []) : accountFrom(accountOf(attempt), attempt);
  const findAddress = client === undefined ? platformAddress() : client === false ? undefined : addressFinder(client);
  const limits = readLimits(options.limits);
  const warnUnnamed = createWarning();
  const limiters = new WeakMap<Store, Limiter>();
  const limiterOf = (store: Store, marker: string, t: Tools): Limiter => {
    const found =
      limiters.get(store) ?? createLimiter({ store, marker, onStoreDown, now: () => t.now(), random: t.randomId });
    limiters.set(store, found);
    return found;
  };

  const { budgetsOf } = counting({ accountsOf, findAddress, knownDevice, limits, grows: delay === "growing" });

  return defineExtension({
    id: "attempts",
    needs: { store: true },
    async attempt(attempt, t): Promise<AttemptVerdict> {
      if (t.store === undefined || hasTooManyNames(attempt)) return refuse(60);
      warnUnnamed(accountsOf(attempt), t);
      const limiter = limiterOf(t.store, await t.permanentKey("marker"), t);
      const verdict = await limiter.take(await budgetsOf(attempt, t));
      if (verdict.degraded) t.note({ kind: "limits.degraded", why: "the store is unavailable or was emptied" });
      return verdict.allow ? { allow: true } : refuse(verdict.retryAfter);
    },
    async outcome(attempt, result, t) {
      const { store } = t;
      if (result !== "success" || store === undefined) return;
      const [account, ...others] = accountsOf(attempt);
      if (others.length > 0 || account === UNNAMED) {
        // The account that succeeded is unknown: do not reset the failures of another account, or remember the device
        // for it.
        for (const budget of await budgetsOf(attempt, t))
          if (budget.row !== "none") await changeRow(store, budget, (inARow) => inARow - 1);
        return;
      }
      const known = knownDevice ? await rememberDevices(attempt, account, t) : undefined;
      // What was proven ends the count of its own failures only: a right password says nothing about codes. A success refunds
      // only what it was counted under, not the limits of the address, of unknown browsers or of other devices.
      const limiter = limiterOf(store, await t.permanentKey("marker"), t);
      for (const budget of await budgetsOf(attempt, t, known)) {
        if (budget.scope === "account" && account !== undefined) await limiter.reset(budget);
        else if (budget.row !== "none") await changeRow(store, budget, () => 0);
      }
      if (account === undefined) return;
      // After a proof by e-mail, the account can be tried again from any device.
      if (BY_EMAIL.has(attempt.action)) {
        const { name, exact } = account;
        const tried = await openBudget(t, "signin", "account", { parts: [name], exact }, limits.get("signin"));
        await changeRow(store, tried, () => 0);
      }
    },
  });
}

/** Remembers the browser of a success. Resolves to the devices that it was known as. */
async function rememberDevices(attempt: Attempt, account: Account | undefined, t: RequestTools): Promise<Devices> {
  const { action, userId } = attempt;
  const user = action === "factor" && userId ? await rememberDevice(t, "user", userId, userId) : undefined;
  const named = account === undefined ? undefined : await rememberDevice(t, "account", account.exact, userId);
  return async (_, scope) => (scope === "user" ? user : named);
}

/** The account that the application names; an attempt with a form always has one. */
function accountFrom(name: string | undefined, { credentials }: Attempt): readonly Account[] {
  if (name) return [accountNamed(name)];
  return credentials === undefined ? [] : [UNNAMED];
}

/** Warns once about attempts that share a limit. */
function createWarning(): (accounts: readonly Account[], t: RequestTools) => void {
  let isTold = false;
  return (accounts, t) => {
    if (isTold || !accounts.includes(UNNAMED)) return;
    isTold = true;
    t.logger.warn(WARNING);
  };
}

const refuse = (retryAfter: Seconds): AttemptVerdict => ({ allow: false, code: CODE, retryAfter });

function readLimits(given: AttemptsOptions["limits"]): ReadonlyMap<string, readonly Limit[]> {
  return new Map(
    Object.entries({ ...defaults, ...given }).map(([action, text]): [string, readonly Limit[]] => [
      action,
      text.trim() === "" ? [] : parseLimits(text, `limits.${action}`),
    ]),
  );
}

/** Operations of {@link attemptsOf}, for server code. */
export interface AttemptsOperations {
  /**
   * Forgets all known devices of an account, or of a user by id. Call it after your own reset of a password, unless you end all sessions of
   * the user with `sessions()`: what Cardea knows of ends known devices by itself.
   */
  forgetDevices(account: string): Promise<void>;
  /**
   * Unlocks an account, or the second factor of a user by id, after one hundred consecutive failures: for account
   * recovery or administrators.
   */
  unlock(account: string): Promise<void>;
}

/**
 * Returns the operations of the `attempts()` extension of an application.
 *
 * @param auth the result of `createAuth`, or its `auth`.
 */
export function attemptsOf(auth: Handled): AttemptsOperations {
  const handle = handleOf(auth, "attempts");
  return {
    forgetDevices: async (account) => forgetDevicesOf(await handle.tools(), account),
    async unlock(account) {
      const t = await handle.tools();
      const { store } = t;
      if (store === undefined) return;
      const names = namesOf(account).map(({ name }) => openBudget(t, "signin", "account", { parts: [name] }));
      for (const budget of [...names, openBudget(t, "factor", "user", { parts: [account] })])
        await forgetTried(store, await budget);
    },
  };
}
