import { describe, expect, it } from "vitest";
import type { FlowContext } from "../model/context.ts";
import { isRenewalDue } from "./check-found.ts";

const NOW = 1_800_000_000;

/** What the function reads of a context. */
function contextOf(updateAge: number) {
  const context: object = { config: { session: { updateAge } }, now: () => NOW };
  return context as Pick<FlowContext, "config" | "now">;
}

describe("isRenewalDue()", () => {
  it.each([
    [99, false],
    [100, true],
    [101, true],
  ])("%i s after it was issued: %s", (age, expected) => {
    expect(isRenewalDue(contextOf(100), NOW - age)).toBe(expected);
  });

  it("with 0 at each read", () => {
    expect(isRenewalDue(contextOf(0), NOW)).toBe(true);
  });

  it("not for a session from the future", () => {
    expect(isRenewalDue(contextOf(1), NOW + 60)).toBe(false);
  });
});
