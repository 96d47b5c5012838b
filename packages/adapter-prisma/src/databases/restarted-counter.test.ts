import { afterAll, expect, it } from "vitest";
import { modelsOf } from "../models-of.ts";
import { addToCounter } from "../store/counters.ts";
import { openSqlite } from "./sqlite.ts";

const database = await openSqlite();
afterAll(() => database.close());

it("counts a caller who read the expired counter, when others have counted as far as it since", async () => {
  const { state: states } = modelsOf(database.client);
  if (states === undefined) throw new Error("The schema has no model for the shared state.");
  const find = async (key: string) => states.findUnique({ where: { key } });
  const create = async (data: object) => Boolean(await states.create({ data }));
  const inAMinute = new Date(Date.now() + 60_000);
  const count = () => addToCounter({ states, find, create }, "tries", 1, inAMinute);
  await create({ key: "tries", value: null, version: 3n, expires: new Date(0) });
  let isRead = false;
  const findLate = async (key: string) => {
    const row = await find(key);
    for (let n = 0; n < 3 && !isRead; n++) await count();
    isRead = true;
    return row;
  };
  expect(await addToCounter({ states, find: findLate, create }, "tries", 1, inAMinute)).toMatchObject({ value: 4 });
  expect(await find("tries")).toMatchObject({ version: 4n });
});
