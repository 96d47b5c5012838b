import { memoryStore } from "@cardea/core/adapters";
import type { RequestTools } from "@cardea/extend";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keyOf, markUsed } from "./used-challenges.ts";

const provider = { id: "passkey" };

interface Setting {
  readonly scheduler: fc.Scheduler;
  readonly processes: number;
  readonly hasStore: boolean;
  readonly isUnique: boolean;
}

/** Resolves for all callers once there are `count`, so that the scheduler can choose between them. */
function createGate(count: number): () => Promise<void> {
  const waiting: (() => void)[] = [];
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === count) for (const open of waiting) open();
    });
}

/** How many processes accept one challenge, in each order in which the database may carry out their calls. */
async function accepted({ scheduler, processes, hasStore, isUnique }: Setting): Promise<number> {
  const rows = new Map<string, object>();
  const store = hasStore ? memoryStore() : undefined;
  const nameOf = ({ identifier, token }: { identifier: string; token: string }) => `${identifier} ${token}`;
  const methods = {
    async createVerificationToken(row: { identifier: string; token: string }) {
      await scheduler.schedule(Promise.resolve(), "create");
      if (isUnique && rows.has(nameOf(row))) throw new Error("duplicate key");
      rows.set(nameOf(row), row);
    },
    async useVerificationToken(key: { identifier: string; token: string }) {
      await scheduler.schedule(Promise.resolve(), "use");
      const row = rows.get(nameOf(key)) ?? null;
      rows.delete(nameOf(key));
      return row;
    },
  };
  const gate = createGate(processes);
  const start = () => {
    let started: Promise<void> | undefined;
    const callAdapter = async (name: keyof typeof methods, row: { identifier: string; token: string }) => {
      started ??= gate();
      await started;
      return methods[name](row);
    };
    const tools = { application: {}, now: () => 1_700_000_000, store, callAdapter };
    return assumeTools({ ...tools, permanentKey: async (...about: readonly string[]) => about.join(" ") });
  };
  const marks = Array.from({ length: processes }, () =>
    markUsed(start(), provider, "challenge").then(
      () => true,
      () => false,
    ),
  );
  await scheduler.waitFor(Promise.all(marks));
  expect(rows.has(nameOf(await keyOf(provider, "challenge")))).toBe(true);
  return (await Promise.all(marks)).filter(Boolean).length;
}

/** The tools that marking a challenge needs. */
function assumeTools(tools: object): RequestTools {
  return tools as RequestTools;
}

const processes = fc.integer({ min: 1, max: 4 });
const both = fc.boolean();

describe("markUsed()", () => {
  it("accepts a challenge in one of the processes that share a store, whatever the database does", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), processes, both, async (scheduler, count, isUnique) => {
        expect(await accepted({ scheduler, processes: count, hasStore: true, isUnique })).toBe(1);
      }),
    );
  });

  it("accepts it in one process without a store if the database refuses a second row", async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), processes, async (scheduler, count) => {
        expect(await accepted({ scheduler, processes: count, hasStore: false, isUnique: true })).toBe(1);
      }),
    );
  });

  it("needs one of both", async () => {
    const property = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      expect(await accepted({ scheduler, processes: 2, hasStore: false, isUnique: false })).toBe(1);
    });
    expect((await fc.check(property, { endOnFailure: true })).failed).toBe(true);
  });

  it.each([0, 1, 2, 3, 4, 5])(
    "accepts no replay after the other process although call %i of a database without unique keys failed",
    async (failing) => {
      const rows: { identifier: string; token: string }[] = [];
      let calls = 0;
      const methods = {
        createVerificationToken: async (row: (typeof rows)[0]) => void rows.push(row),
        useVerificationToken: async (key: (typeof rows)[0]) => {
          const index = rows.findIndex(({ identifier, token }) => identifier === key.identifier && token === key.token);
          return index === -1 ? null : rows.splice(index, 1)[0];
        },
      };
      const callAdapter = async (name: keyof typeof methods, row: (typeof rows)[0]) => {
        if (calls++ === failing) throw new Error("a passing failure");
        return methods[name](row);
      };
      const permanentKey = async (...about: readonly string[]) => about.join(" ");
      const start = () => assumeTools({ application: {}, now: () => 1_700_000_000, callAdapter, permanentKey });
      const [a, b] = [start(), start()];
      await markUsed(a, provider, "before").catch(() => undefined);
      await markUsed(b, provider, "challenge").catch(() => undefined);
      await expect(markUsed(a, provider, "challenge")).rejects.toThrow("already used");
    },
  );
});
