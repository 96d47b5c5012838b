// The short form of ended-sessions.long.test.ts: a few pages of ended sessions.
import { describe, expect, it } from "vitest";
import { isLong } from "../../packages/testing/src/long-form.ts";
import { measureEndedSessions } from "./measure-ended-sessions.ts";
import { sharedStores } from "./shared-stores.ts";

const RECORDS = 3_500;

describe.each(isLong ? Object.keys(sharedStores) : ["Redis", "SQLite"])("measureEndedSessions() in %s", (name) => {
  it("answers correctly while processes start, and after the store lagged and was emptied", async () => {
    const shared = await sharedStores[name]?.();
    if (shared === undefined) return;
    try {
      const { wrong, pages } = await measureEndedSessions(shared, RECORDS);
      expect(wrong).toEqual([]);
      expect(pages).toBeGreaterThan(3);
    } finally {
      await shared.close();
    }
  });
});
