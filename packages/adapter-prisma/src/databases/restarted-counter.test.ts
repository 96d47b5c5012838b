import { afterAll, expect, it } from "vitest";
import { PrismaAdapter } from "../prisma-adapter.ts";
import type { PrismaClientLike } from "../prisma-client.ts";
import { openSqlite } from "./sqlite.ts";
import { storeUnderTest } from "./store-under-test.ts";

const database = await openSqlite();
afterAll(() => database.close());

it("counts a caller who read the expired counter, when others have counted as far as it since", async () => {
  const { store, advance } = storeUnderTest(database.client);
  const countThrice = async () => {
    for (let n = 0; n < 3; n++) await store.add("tries", 1, { ttl: 60 });
  };
  await countThrice();
  await advance(61);
  const late = PrismaAdapter(afterFirstRead(database.client, countThrice)).store;
  expect(await late?.add("tries", 1, { ttl: 60 })).toMatchObject({ value: 4 });
  expect(await store.get("tries")).toBe("4");
});

/** A client that does something after its first read of the shared state, before the reader gets the row. */
function afterFirstRead(client: PrismaClientLike, work: () => Promise<void>): PrismaClientLike {
  let done = false;
  const findUnique = async ({ args, query }: { args: object; query: (args: object) => Promise<unknown> }) => {
    const row = await query(args);
    if (!done) {
      done = true;
      await work();
    }
    return row;
  };
  return Reflect.apply(Reflect.get(client, "$extends"), client, [{ query: { state: { findUnique } } }]);
}
