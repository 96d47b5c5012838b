// A million ended sessions on each store. Part of `npm run test:all`.
import { describe, expect, it } from "vitest";
import { measureEndedSessions } from "./measure-ended-sessions.ts";
import { sharedStores } from "./shared-stores.ts";

const RECORDS = Number(process.env.CARDEA_SCALE_RECORDS ?? 1_000_000);

const HOUR = 60 * 60 * 1000;

describe.each(Object.keys(sharedStores))("a million ended sessions in %s", (name) => {
  it("delay no read, and no outage is reported", { timeout: HOUR }, async () => {
    const shared = await sharedStores[name]?.();
    if (shared === undefined) return;
    try {
      const figures = await measureEndedSessions(shared, RECORDS);
      console.log(name, JSON.stringify(figures));
      expect(figures.wrong).toEqual([]);
      expect(Math.max(figures.served, figures.refused)).toBeLessThan(5_000);
    } finally {
      await shared.close();
    }
  });
});
