import type { KyselyPlugin } from "kysely";
import { afterAll, expect, it } from "vitest";
import { openSqlite } from "./sqlite.ts";
import { storeUnderTest } from "./store-under-test.ts";

const database = await openSqlite();
afterAll(() => database.close());

it("counts a caller who read the expired counter, when others have counted as far as it since", async () => {
  const { store, advance } = storeUnderTest(database.another());
  for (let n = 0; n < 3; n++) await store.add("tries", 1, { ttl: 60 });
  await advance(61);
  const countAgain = async () => {
    for (let n = 0; n < 3; n++) await store.add("tries", 1, { ttl: 60 });
  };
  const late = storeUnderTest(database.db.withPlugin(afterFirstRow(countAgain))).store;
  expect(await late.add("tries", 1, { ttl: 60 })).toMatchObject({ value: 4 });
  expect(await store.get("tries")).toBe("4");
});

/** Does something after the first row was read, before its reader gets it. */
function afterFirstRow(work: () => Promise<void>): KyselyPlugin {
  let done = false;
  return {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (result.rows.length > 0 && !done) {
        done = true;
        await work();
      }
      return result;
    },
  };
}
