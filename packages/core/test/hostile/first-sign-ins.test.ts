/** Two processes on one database sign one person in for the first time, at the same moment, in every order of their calls. */

import type { Adapter } from "@cardea/core/adapters";
import { defineExtension, type Extension } from "@cardea/extend";
import { createMemoryAdapter, type MemoryAdapter, type Visit } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { share } from "../../../testing/src/long-form.ts";
import { type DatabaseCase, secondProvider, setUpDatabase } from "../harness/database-app.ts";
import { BASE, installClock } from "../harness/harness.ts";

/** The provider of the fixture says that the address is verified. */
const EMAIL = "ann@example.com";

type Side = "a" | "b";

/** Decides which of two processes may call the database. */
interface Turns {
  /** Waits until it is the turn of a process. */
  before(side: Side, method: string): Promise<void>;
  ended(side: Side): void;
}

/** Look-ups of an account by one sign-in, the last of which follows a pause. */
const PATIENT = 4;

/**
 * A runs up to its call `k`, then B up to its call `j`, then A to its end, then B.
 *
 * With an adapter that stores a user and an account apart, one process waits for the other for a while: the other goes on.
 */
function takeTurns(k: number, j: number): Turns {
  const [atK, atJ, endOfA] = [defer(), defer(), defer()];
  const calls = { a: 0, b: 0 };
  const lookUps = { a: 0, b: 0 };
  const ended = (side: Side) => {
    if (side === "a") for (const one of [atK, endOfA]) one.resolve();
    else atJ.resolve();
  };
  return {
    before: async (side, method) => {
      const n = ++calls[side];
      if (method === "getUserByAccount" && ++lookUps[side] === PATIENT) ended(side);
      if (side === "b" && n === 1) await atK.promise;
      if (side === "a" && n === k) {
        atK.resolve();
        await atJ.promise;
      }
      if (side === "b" && n === j) {
        atJ.resolve();
        await endOfA.promise;
      }
    },
    ended,
  };
}

function inTurns(adapter: Adapter, side: Side, turns: Turns): Adapter {
  const methods = Object.entries(adapter).map(([name, method]: [string, unknown]) => {
    if (typeof method !== "function") return [name, method];
    const call = async (...args: unknown[]) => {
      await turns.before(side, name);
      return Reflect.apply(method, adapter, args);
    };
    return [name, call];
  });
  // The same methods, which wait.
  return Object.fromEntries(methods) as Adapter;
}

function defer() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** What an application may have as its adapter. */
const ADAPTERS: Readonly<Record<string, (memory: MemoryAdapter) => Adapter>> = {
  "user and account at once": ({ adapter }) => adapter,
  "user and account apart, as in adapters for Auth.js": ({ adapter }) => {
    const { createUserWithAccount: _, listAccountsByUserId: _list, ...others } = adapter;
    return others;
  },
  "user and account apart, with a list of accounts": ({ adapter }) => {
    const { createUserWithAccount: _, ...others } = adapter;
    return others;
  },
};

const gate = defineExtension({ id: "gate", admit: async () => ({ admit: true }) });

/** The ways in which the two sign in; a provider links by address where both are not the same. */
const WAYS = {
  "one account twice": ["op", "op"],
  "two links by e-mail": ["email", "email"],
  "an account, and a link by e-mail": ["op", "email"],
  "a link by e-mail, and an account": ["email", "op"],
  "two accounts that link by e-mail": ["op", "op2"],
} as const;

type Way = (typeof WAYS)[keyof typeof WAYS][number];

interface Setting {
  readonly adapter: (memory: MemoryAdapter) => Adapter;
  readonly extensions: readonly Extension[];
  readonly ways: readonly [Way, Way];
}

/** Everything before the two requests that race: the request of one side, and whom its browser is taken for afterwards. */
async function prepare(app: DatabaseCase, way: Way, second: ReturnType<typeof secondProvider>) {
  if (way === "email") {
    await app.ask(EMAIL);
    return () => app.open();
  }
  const op = way === "op" ? app.op : second.op;
  op.user = { sub: `ann-at-${way}`, email: EMAIL, email_verified: true };
  const page = await app.browser.navigate(`${BASE}/signin?callbackUrl=/`);
  const { redirectsTo } = await app.browser.submit(page, { action: `${BASE}/signin/${way}` });
  const { url } = await op.authorize(redirectsTo ?? "");
  return () => app.browser.navigate(`${url}`);
}

async function race({ adapter, extensions, ways }: Setting, k: number, j: number) {
  const memory = createMemoryAdapter({ keepIds: true });
  const linkByEmail = { allowDangerousEmailAccountLinking: ways[0] !== ways[1] };
  const state = { turns: undefined as Turns | undefined };
  const start = (side: Side) => {
    const second = secondProvider(linkByEmail);
    const calls: Turns = {
      before: async (...args) => state.turns?.before(...args),
      ended: (one) => state.turns?.ended(one),
    };
    const app = setUpDatabase({
      memory,
      provider: linkByEmail,
      providers: [second.provider],
      routes: second.routes,
      alsoTo: [second.op.issuer],
      config: { adapter: inTurns(adapter(memory), side, calls), extensions },
    });
    return { app, second };
  };
  const [a, b] = [start("a"), start("b")];
  const goA = await prepare(a.app, ways[0], a.second);
  const goB = await prepare(b.app, ways[1], b.second);
  const turns = takeTurns(k, j);
  state.turns = turns;
  const run = (side: Side, go: () => Promise<Visit>) => go().finally(() => turns.ended(side));
  const visits = await Promise.all([run("a", goA), run("b", goB)]);
  state.turns = undefined;
  const sessions = await Promise.all([a, b].map(({ app }) => app.session()));
  const { users, sessions: rows } = memory.snapshot();
  await Promise.all([a.app.end(), b.app.end()]);
  return {
    to: visits.map(({ redirectsTo }) => redirectsTo?.replace(/^https:\/\/[^/]+/, "")),
    signedIn: sessions.map((session) => JSON.stringify(session).includes(EMAIL)),
    users: users.length,
    owners: new Set(rows.map(({ userId }) => userId)).size,
  };
}

/** Places in the calls of two sign-ins, each of which makes up to that many. */
const PLACES = Array.from({ length: 49 }, (_, n) => ({ k: 1 + (n % 7), j: 1 + Math.floor(n / 7) }));

const settings = Object.entries(ADAPTERS).flatMap(([stored, adapter]) =>
  Object.entries(WAYS).flatMap(([what, ways]) =>
    [[], [gate]].map((extensions) => ({ stored, what, extended: extensions.length > 0, adapter, extensions, ways })),
  ),
);

describe("two first sign-ins of one person at the same moment", () => {
  it.each(settings)("end as one user: $what, $stored, with an extension: $extended", async (setting) => {
    // A link is void once a later one was used: here both are of the same moment.
    installClock();
    const failed: unknown[] = [];
    // The order in which the second of two look-ups finds what the first did not is always among them.
    const order =
      setting.what === "one account twice" ? [{ k: 2, j: 7 }, ...share(PLACES, 5, 1)] : share(PLACES, 25, 3);
    for (const { k, j } of order) {
      const { to, signedIn, users, owners } = await race(setting, k, j);
      const isGood = signedIn.every((one) => one) && users === 1 && owners === 1;
      if (!isGood) failed.push({ k, j, to, signedIn, users, owners });
    }
    expect(failed).toEqual([]);
  });
});

describe("a first sign-in that an extension refuses after the user was created", () => {
  it.each([true, false])(
    "leaves the address free where a user cannot be deleted; addresses may be null: %s",
    async (mayBeNull) => {
      const memory = createMemoryAdapter();
      const { deleteUser: _d, createUserWithAccount: _c, ...stepwise } = memory.adapter;
      const updateUser: Adapter["updateUser"] = async (user) => {
        if (user.email === null && !mayBeNull) throw new Error("NOT NULL constraint failed");
        return memory.adapter.updateUser(user);
      };
      let isOpen = false;
      const gate = defineExtension({ id: "gate", admit: () => (isOpen ? { admit: true } : { refuse: "not yet" }) });
      const config = { adapter: { ...stepwise, updateUser }, extensions: [gate] };
      const c = setUpDatabase({ memory, config });
      await c.signInWithOp();
      expect(await c.session()).toBeNull();
      expect(memory.snapshot().users).toHaveLength(1);
      expect(memory.snapshot().users.filter(({ email }) => email === "ada@example.com")).toEqual([]);
      isOpen = true;
      await c.signInWithOp();
      expect(await c.session()).toMatchObject({ user: { email: "ada@example.com" } });
    },
  );
});
