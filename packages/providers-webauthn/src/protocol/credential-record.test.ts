import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkAgainstRecord, GREATEST_COUNTER } from "./credential-record.ts";

describe("checkAgainstRecord()", () => {
  it.each([
    [0, 0, null],
    [0, 1, null],
    [1, 0, "counter"],
    [5, 5, "counter"],
    [5, 4, "counter"],
    [5, 6, null],
    [Number.NaN, 6, "counter"],
    [2147483646, 2147483647, null],
    [2147483647, 2147483646, "counter"],
    // The greatest counter stands for every greater one.
    [2147483647, 2147483647, null],
    [4294967295, 2147483647, null],
  ])("H226 judges a counter that goes from %i to %i: %s", (counter, to, verdict) => {
    const given = { counter: to, backupEligible: false };
    expect(checkAgainstRecord(given, { counter, deviceType: "singleDevice" })).toBe(verdict);
  });

  it("for any state and any record, lets pass exactly what holds", () => {
    const deviceType = fc.constantFrom("singleDevice", "multiDevice", "", "constructor", "somethingElse");
    const counter = fc.oneof(fc.constantFrom(0, 1, 2), fc.nat(GREATEST_COUNTER));
    fc.assert(
      fc.property(fc.boolean(), deviceType, counter, counter, (backupEligible, type, before, now) => {
        const problem = checkAgainstRecord({ backupEligible, counter: now }, { counter: before, deviceType: type });
        const isSame = type === "singleDevice" ? !backupEligible : type === "multiDevice" ? backupEligible : true;
        const isSaid = now > before || (now === 0 && before === 0) || now === GREATEST_COUNTER;
        expect(problem === null).toBe(isSame && (backupEligible || isSaid));
      }),
      { numRuns: 1000 },
    );
  });
});
