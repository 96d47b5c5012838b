import {
  type Attempt,
  type AttemptVerdict,
  defineExtension,
  type Extension,
  type Handled,
  handleOf,
  type RequestTools,
  type Seconds,
  type Store,
  type Tools,
} from "@cardea/core/extend";
import { accountOf as defaultAccountOf, normalizeAccount } from "./account-of.ts";
import { addressFinder, type ClientAddress } from "./client-address.ts";
import { type TriesInARow, triesInARow } from "./consecutive.ts";
import { findDevice, forgetDevices, rememberDevice } from "./devices.ts";
import { type Budget, createLimiter, type Limiter } from "./limiter.ts";
import { type Limit, type LimitScope, parseLimits } from "./parse-limits.ts";

/** Settings of {@link attempts}. */
export interface AttemptsOptions {
  /** How the address of a client is found; without it there are no limits by address. */
  readonly client?: ClientAddress;
  /** Limits by action, such as `"10/10m/account, 30/1m/address"`, over the defaults; the empty text is no limit. */
  readonly limits?: Readonly<Record<string, string>>;
  /** The account that an attempt is about; default: the address, or what was typed as `email`, `username`, `login` and the like. */
  readonly accountOf?: (attempt: Attempt) => string | undefined;
  /** Whether a browser that its user has signed in on has a budget of its own for that account; default true. */
  readonly knownDevice?: boolean;
  /**
   * `"growing"`: after three tries in a row each further one has to wait, 1, 2, 4 seconds, up to a minute. Default `"none"`. With either, a
   * hundred tries in a row are the last ones until a success, see {@link AttemptsOperations.unlock}.
   */
  readonly delay?: "none" | "growing";
  /** While the store is away: `"local"`, a quarter of the numbers in each process (default), or `"deny"`. */
  readonly onStoreDown?: "local" | "deny";
}

const defaults: Readonly<Record<string, string>> = {
  signin: "10/10m/account, 30/1m/address",
  email: "5/10m/account, 30/10m/address",
  // Not by account: a link is too long to be guessed, and a stranger who asks for mails must not keep the owner from using theirs.
  "email-link": "30/10m/address",
  // Core counts tries at codes by address of the mail; by network address one may guess for many.
  "email-code": "30/10m/address",
  factor: "5/5m/user",
  reset: "3/1h/account",
  oauth: "30/1m/address",
};

/** What is guessed, and whose it is. */
const ROWS: Readonly<Record<string, LimitScope>> = { signin: "account", factor: "user" };

/** Proofs that the client receives the e-mail of the account. */
const BY_EMAIL: ReadonlySet<string> = new Set(["email-link", "email-code"]);

/** What a refusal says to the client. */
const CODE = "too_many_attempts";

/**
 * Limits tries to sign in, per account, per address and per user, over all processes that share the store (ASVS 6.1.1, 6.3.1, 6.6.3). Counts
 * whatever way they come: over HTTP, by server actions and by `signIn()` alike.
 *
 * @throws TypeError for a limit or a proxy that cannot be read.
 */
export function attempts(options: AttemptsOptions = {}): Extension {
  const { client, delay, knownDevice = true, onStoreDown = "local", accountOf: nameOf = defaultAccountOf } = options;
  const accountOf = (attempt: Attempt): string | undefined => {
    const name = nameOf(attempt);
    return name && normalizeAccount(name);
  };
  const findAddress = client === undefined ? undefined : addressFinder(client);
  const limits = readLimits(options.limits);
  const limiters = new WeakMap<Store, Limiter>();
  const limiterOf = (store: Store, marker: string, t: Tools): Limiter => {
    const found =
      limiters.get(store) ?? createLimiter({ store, marker, onStoreDown, now: () => t.now(), random: t.randomId });
    limiters.set(store, found);
    return found;
  };

  /** What an attempt is counted under; undefined where the scope does not apply to it. */
  const subjectOf = async (scope: LimitScope, attempt: Attempt, t: RequestTools): Promise<string[] | undefined> => {
    if (scope === "address") return findAddress && [findAddress(t.headers)];
    const account = scope === "user" ? attempt.userId : accountOf(attempt);
    if (account === undefined) return undefined;
    const device = knownDevice ? await findDevice(t, scope, account) : undefined;
    return device === undefined ? [account] : [account, device];
  };

  /** Tries in a row are counted where a secret is guessed. */
  const rowOf = async (action: string, attempt: Attempt, t: RequestTools): Promise<TriesInARow | undefined> => {
    const scope = ROWS[action];
    const subject = scope && (await subjectOf(scope, attempt, t));
    return scope && subject && openRow(t, scope, subject, delay === "growing");
  };

  const budgetsOf = async (attempt: Attempt, t: RequestTools): Promise<readonly Budget[]> => {
    const budgets = (limits.get(attempt.action) ?? []).map(async (limit) => {
      const subject = await subjectOf(limit.scope, attempt, t);
      if (subject === undefined) return [];
      const { times, interval, scope } = limit;
      return [{ key: await t.key(attempt.action, scope, `${times}/${interval}`, ...subject), limit }];
    });
    return (await Promise.all(budgets)).flat();
  };

  return defineExtension({
    id: "attempts",
    needs: { store: true },
    async attempt(attempt, t): Promise<AttemptVerdict> {
      if (t.store === undefined) return refuse(60);
      const limiter = limiterOf(t.store, await t.permanentKey("marker"), t);
      for (const budget of await budgetsOf(attempt, t)) {
        const verdict = await limiter.take(budget);
        if (verdict.degraded) t.note({ kind: "limits.degraded", why: "the store is away, or was emptied" });
        if (!verdict.allow) return refuse(verdict.retryAfter);
      }
      const wait = await waitInARow(await rowOf(attempt.action, attempt, t), t);
      return wait === 0 ? { allow: true } : refuse(wait);
    },
    async outcome(attempt, result, t) {
      const account = accountOf(attempt);
      if (result !== "success" || t.store === undefined) return;
      for (const action of Object.keys(ROWS)) await (await rowOf(action, attempt, t))?.reset();
      if (attempt.action === "factor" && attempt.userId && knownDevice) await rememberDevice(t, "user", attempt.userId);
      if (account === undefined) return;
      // A proof by e-mail lets the account be tried again from everywhere.
      if (BY_EMAIL.has(attempt.action)) await openRow(t, "account", [account], false)?.then((row) => row.reset());
      const limiter = limiterOf(t.store, await t.permanentKey("marker"), t);
      // A success gives back what it counted under, and nothing of others: neither the address nor the budget of strangers or of a device.
      for (const budget of await budgetsOf(attempt, t))
        if (budget.limit.scope === "account") await limiter.reset(budget);
      if (knownDevice) await rememberDevice(t, "account", account);
    },
  });
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

function openRow(
  t: Tools,
  scope: LimitScope,
  subject: readonly string[],
  grows: boolean,
): Promise<TriesInARow> | undefined {
  const { store } = t;
  return store && t.key("row", scope, ...subject).then((key) => triesInARow(store, key, t.now, grows));
}

/** While the store is away, the limits hold, stricter than before; what was tried in a row is not known. */
async function waitInARow(row: TriesInARow | undefined, t: RequestTools): Promise<Seconds> {
  try {
    return (await row?.take()) ?? 0;
  } catch (error) {
    t.logger.warn(`attempts-row-unavailable: tries in a row are not counted: ${String(error)}`);
    return 0;
  }
}

/** What server code does with the limits of an application. */
export interface AttemptsOperations {
  /** Makes an account, or a user by their id, forget every known device: call it after a reset of the password, or of the factors. */
  forgetDevices(account: string): Promise<void>;
  /** Lets an account, or the factor of a user by their id, be tried again after a hundred tries in a row: after a recovery, or by an administrator. */
  unlock(account: string): Promise<void>;
}

/**
 * The limits behind what `createAuth` returned.
 *
 * @param auth the result of `createAuth`, or its `auth`.
 */
export function attemptsOf(auth: Handled): AttemptsOperations {
  const handle = handleOf(auth, "attempts");
  return {
    async forgetDevices(account) {
      const t = await handle.tools();
      await forgetDevices(t, "account", normalizeAccount(account));
      await forgetDevices(t, "user", account);
    },
    async unlock(account) {
      const t = await handle.tools();
      for (const [scope, name] of [
        ["account", normalizeAccount(account)],
        ["user", account],
      ] as const) {
        const row = await openRow(t, scope, [name], false);
        await row?.reset();
      }
    },
  };
}
