import { describe, expect, it } from "vitest";
import { createClock } from "./clock.ts";

describe("createClock()", () => {
  it("stands still until it is moved", () => {
    const clock = createClock(1_000);
    expect(clock.now()).toBe(1_000);
    expect(clock.advance({ seconds: 1, minutes: 1, days: 1 })).toBe(1_000 + 1_000 + 60_000 + 86_400_000);
    expect(clock.advance({ seconds: -1 })).toBe(1_000 + 60_000 + 86_400_000);
    expect(clock.set("2030-01-01T00:00:00Z")).toBe(Date.parse("2030-01-01T00:00:00Z"));
  });

  it("refuses what is no point in time", () => {
    expect(() => createClock("yesterday")).toThrow(RangeError);
    expect(() => createClock().set(Number.NaN)).toThrow(RangeError);
  });

  it("tells its time to the whole process while installed", () => {
    const clock = createClock("2001-02-03T04:05:06Z");
    const RealDate = Date;
    {
      const installed = clock.install();
      expect(Date.now()).toBe(clock.now());
      expect(new Date().toISOString()).toBe("2001-02-03T04:05:06.000Z");
      expect(new Date()).toBeInstanceOf(RealDate);
      expect(new Date(5).getTime()).toBe(5);
      expect(new Date(2020, 1, 1).getFullYear()).toBe(2020);
      expect(Date.parse("1970-01-01T00:00:01Z")).toBe(1000);
      clock.advance({ hours: 1 });
      expect(new Date().toISOString()).toBe("2001-02-03T05:05:06.000Z");
      installed[Symbol.dispose]();
    }
    expect(Date).toBe(RealDate);
  });

  it("is installed once at a time, and restores once", () => {
    const clock = createClock();
    const first = clock.install();
    expect(() => clock.install()).toThrow("already installed");
    first.restore();
    const second = clock.install();
    first.restore();
    expect(Date.now()).toBe(clock.now());
    second.restore();
  });
});
