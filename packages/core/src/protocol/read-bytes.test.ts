import { describe, expect, it } from "vitest";
import { readBytes } from "./read-bytes.ts";

/** Reads these parts, and counts how many were asked for. */
function partsOf(...parts: readonly (readonly number[])[]) {
  const open = [...parts];
  const reading = { count: 0 };
  const next = async () => {
    reading.count += 1;
    const value = open.shift();
    return value === undefined ? ({ done: true } as const) : ({ done: false, value: Uint8Array.from(value) } as const);
  };
  return { next, reading };
}

describe("readBytes()", () => {
  it.each([
    ["no part", [], []],
    ["one part", [[1, 2]], [1, 2]],
    ["several parts, some empty", [[1], [], [2, 3]], [1, 2, 3]],
  ])("joins %s", async (_, parts, bytes) => {
    expect(await readBytes(partsOf(...parts).next, 3)).toEqual(Uint8Array.from(bytes));
  });

  it("has no bytes where there is no stream", async () => {
    expect(await readBytes(async () => undefined, 3)).toEqual(new Uint8Array());
  });

  it("stops reading with the first byte beyond the limit", async () => {
    const { next, reading } = partsOf([1, 2], [3, 4], [5]);
    expect(await readBytes(next, 3)).toBeNull();
    expect(reading.count).toBe(2);
  });
});
