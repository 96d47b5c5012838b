/** A database that fails while the owner of an address decides: nothing is left half made, and the next try succeeds. */
import { createMemoryAdapter } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { BASE } from "../harness/harness.ts";
import { ADDRESS, holderOf, type Planted, plant } from "../harness/planted.ts";

const FAULTS = [
  ["fails", { throws: new Error("down") }],
  ["does it and loses the answer", { throws: new Error("lost"), when: "after" }],
] as const;

interface Journey {
  readonly name: string;
  readonly strategy: "jwt" | "database";
  /** Rows of users when it has succeeded. */
  readonly users: number;
  readonly prepare: (planted: Planted) => Promise<unknown>;
  readonly act: (planted: Planted) => Promise<unknown>;
}

const proveAsPlanter = async ({ planter }: Planted) => {
  await planter.signOut();
  await planter.post(`${BASE}/signin/email`, { email: ADDRESS, callbackUrl: "/dash" });
  await planter.open();
};

const ACTS: readonly Omit<Journey, "strategy">[] = [
  { name: "starting fresh", users: 2, prepare: (planted) => planted.prove(), act: (planted) => planted.startFresh() },
  {
    name: "signing in the way one did before",
    users: 1,
    prepare: proveAsPlanter,
    act: ({ planter }) => planter.signInWithOp("/dash"),
  },
];

const JOURNEYS: readonly Journey[] = (["jwt", "database"] as const).flatMap((strategy) =>
  ACTS.map((act) => ({ ...act, strategy })),
);

async function start({ prepare, strategy }: Journey): Promise<Planted> {
  const planted = await plant("account", { strategy, memory: createMemoryAdapter({ keepIds: true }) });
  await prepare(planted);
  return planted;
}

async function callsOf(journey: Journey): Promise<readonly string[]> {
  const planted = await start(journey);
  const before = planted.memory.calls.length;
  await journey.act(planted);
  return planted.memory.calls.slice(before).map(({ method }) => method);
}

describe.each(JOURNEYS)("the database fails during $name ($strategy sessions)", (journey) => {
  it.each(FAULTS)("at any call (%s): no user is half made, and the same again succeeds", async (_, fault) => {
    const calls = await callsOf(journey);
    expect(calls).toContain("updateUser");
    for (const [index, method] of calls.entries()) {
      // Whether a proof was consumed cannot be known then, so that it counts as used.
      if (method === "useVerificationToken" && "when" in fault) continue;
      const planted = await start(journey);
      planted.memory.fail({ ...fault, call: index + 1 });
      await journey.act(planted).catch(() => undefined);
      planted.memory.heal();
      const who = journey.users === 2 ? planted.owner : planted.planter;
      if ((await who.session()) === null) await journey.act(planted);
      const { users } = planted.memory.snapshot();
      expect([index, method, users.length]).toEqual([index, method, journey.users]);
      expect([method, holderOf(planted.memory)?.emailVerified]).toEqual([method, expect.any(Date)]);
      expect([method, await who.session()]).toEqual([method, expect.objectContaining({ user: expect.anything() })]);
    }
  });
});
