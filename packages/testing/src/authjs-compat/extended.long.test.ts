// Adapters written for Auth.js, as they come from npm, with `extend()`: they have what extensions need, and keep its contract.
import { type Adapter, extend, memoryStore } from "@cardea/core/adapters";
import { describe, expect, it } from "vitest";
import { adapterContract } from "../index.ts";
import { openD1Adapter } from "./adapters/d1.ts";
import { openDrizzleAdapter } from "./adapters/drizzle.ts";
import { openKyselyAdapter } from "./adapters/kysely.ts";
import { openPgAdapter } from "./adapters/pg.ts";
import { openUnstorageAdapter } from "./adapters/unstorage.ts";
import { openUpstashAdapter } from "./adapters/upstash.ts";

interface Extended {
  readonly open: () => Promise<{ readonly adapter: Adapter; close(): unknown }>;
  /** Clauses that it breaks. */
  readonly breaks?: readonly string[];
}

/** It rejects when a user has neither an account nor a session. */
const deletesWithAccountOnly = [
  "deletes a user's session records with the user",
  "removes a credential, and a user's credentials with the user",
];

const adapters: Readonly<Record<string, Extended>> = {
  "@auth/d1-adapter": { open: openD1Adapter },
  "@auth/drizzle-adapter": { open: openDrizzleAdapter },
  "@auth/kysely-adapter": { open: openKyselyAdapter },
  "@auth/pg-adapter": { open: openPgAdapter },
  "@auth/unstorage-adapter": { open: openUnstorageAdapter, breaks: deletesWithAccountOnly },
  "@auth/upstash-redis-adapter": { open: openUpstashAdapter },
};

/** The areas of the contract that the store takes over, and their races. */
const AREAS = ["records of sessions", "credentials", "races"];
const RACES = [
  "creates one session record when several with the same hash are created concurrently",
  "keeps one password of a user when several are set concurrently",
  "lets one of several concurrent callers change a credential",
  "does not recreate a credential that is changed while it is removed",
];

/** Some adapters return numbers as ids of users; records in the store have them as text, as extensions do. */
function withTextIds(adapter: Adapter): Adapter {
  const { createUser } = adapter;
  if (createUser === undefined) return adapter;
  return {
    ...adapter,
    createUser: async (given) => {
      const user = await createUser(given);
      return { ...user, id: String(user.id) };
    },
  };
}

describe.each(Object.entries(adapters))("extend() of %s", (_name, { open, breaks = [] }) => {
  let area = "";
  const defined: string[] = [];
  const framework = {
    expect,
    describe(name: string, body: () => void) {
      const defineArea = () => {
        area = name;
        body();
      };
      if (AREAS.includes(name)) describe(name, defineArea);
    },
    it(name: string, body: () => Promise<void>) {
      if (area === "races" && !RACES.includes(name)) return;
      defined.push(name);
      if (breaks.includes(name)) it.fails(name, body);
      else it(name, body);
    },
  };
  adapterContract(framework, async () => {
    const { adapter, close } = await open();
    const extended = extend(withTextIds(adapter), { store: memoryStore(), durable: true });
    return { adapter: extended, cleanup: async () => void (await close()) };
  });

  it("runs every clause of what the store takes over", () => {
    expect(defined).toEqual(expect.arrayContaining([...RACES, ...deletesWithAccountOnly]));
  });

  it("gives it a store, and leaves its own methods as they are", async () => {
    const { adapter, close } = await open();
    const store = memoryStore();
    const extended = extend(adapter, { store });
    const user = await extended.createUser?.({
      id: crypto.randomUUID(),
      email: "ann@example.com",
      emailVerified: null,
    });
    expect(await extended.getUserByEmail?.("ann@example.com")).toMatchObject({ id: user?.id });
    expect([extended.store, "createSessionInfo" in adapter, "store" in adapter]).toEqual([store, false, false]);
    await close();
  });
});
