// What attempts cost a store: calls of an attempt, and bytes of a name that a stranger tries.
import { memoryStore } from "@cardea/core/adapters";
import { describe, expect, it } from "vitest";
import { openSharedRedis } from "../../packages/store-redis/src/servers/open-shared-redis.ts";
import { installedServers } from "../../packages/store-redis/src/servers/start-redis.ts";
import { countAttemptCalls, createApplication } from "./measure-attempts.ts";

const NAMES = process.env.CARDEA_TEST_LONG ? 20_000 : 1_000;

describe("countAttemptCalls()", () => {
  it("counts what docs/attempts.md says", async () => {
    expect(await countAttemptCalls(memoryStore())).toEqual({ wrong: 3, first: 9, next: 13 });
    expect(await countAttemptCalls(memoryStore(), { client: { hops: 1 } })).toEqual({ wrong: 5, first: 11, next: 15 });
  });
});

describe.skipIf(!installedServers().includes("redis-server"))("createApplication() with Redis", () => {
  it("keeps one key of a quarter of a kilobyte for each wrong name, and none for a right one", async () => {
    const redis = await openSharedRedis();
    try {
      const application = createApplication(redis.store, { knownDevice: false });
      const browser = application.newBrowser();
      await application.try(browser, "the first", "wrong");
      const [memory, keys] = [await redis.memory(), await redis.keys()];
      for (let n = 0; n < NAMES; n++) await application.try(browser, `name${n}@example.com`, "wrong");
      const bytes = ((await redis.memory()) - memory) / NAMES;
      console.log(`bytes for each wrong name: ${bytes}`);
      expect((await redis.keys()) - keys).toBe(NAMES);
      // A table of keys doubles at times.
      expect(bytes).toBeLessThan(300);
      for (let n = 0; n < 10; n++) await application.try(application.newBrowser(), `name${n}@example.com`, "right");
      expect((await redis.keys()) - keys).toBe(NAMES - 10);
    } finally {
      await redis.close();
    }
  });
});
