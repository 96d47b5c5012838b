import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { parseTime } from "./parse-time.ts";

const INSTANT = Date.UTC(2026, 10, 22, 3, 4, 5);
const ZONE = process.env.TZ;

afterEach(() => {
  if (ZONE === undefined) delete process.env.TZ;
  else process.env.TZ = ZONE;
});

describe("parseTime()", () => {
  it.each([
    new Date(INSTANT),
    INSTANT,
    INSTANT / 1000,
    String(INSTANT),
    String(INSTANT / 1000),
    "2026-11-22T03:04:05.000Z",
    "2026-11-22T03:04:05Z",
    "2026-11-22 03:04:05",
    "2026-11-22T03:04:05",
    " 2026-11-22 03:04:05.000000 ",
    "2026-11-22 03:04:05+00",
    "2026-11-22 03:04:05 UTC",
    "2026-11-22 04:04:05+01",
    "2026-11-22T05:34:05.000+0230",
    "2026-11-21 22:04:05-05:00",
    new Date(INSTANT).toUTCString(),
    "Sun Nov 22 2026 04:04:05 GMT+0100 (Central European Standard Time)",
  ])("reads %j as the same moment, whatever the zone of the server", (given) => {
    for (const zone of ["America/New_York", "Asia/Kolkata", "UTC"]) {
      process.env.TZ = zone;
      expect(parseTime(given)?.getTime()).toBe(INSTANT);
    }
  });

  it.each([
    INSTANT * 1000,
    BigInt(INSTANT) * 1000n,
    BigInt(INSTANT) * 1_000_000n,
    -INSTANT * 1000,
    253_402_300_800_000,
  ])("refuses %s, which counts smaller units and would never be over", (given) => {
    expect(parseTime(given)).toBe(null);
    expect(parseTime(String(given))).toBe(null);
    const date = new Date(Number(given));
    expect(parseTime(date)).toBe(null);
    expect(parseTime(date.toString())).toBe(null);
  });

  it("reads a 64-bit integer", () => {
    expect(parseTime(BigInt(INSTANT))?.getTime()).toBe(INSTANT);
  });

  it("reads a day as its beginning in UTC", () => {
    process.env.TZ = "America/New_York";
    expect(parseTime("2026-11-22")?.toISOString()).toBe("2026-11-22T00:00:00.000Z");
  });

  it.each([
    undefined,
    null,
    "",
    " ",
    "soon",
    "infinity",
    "2026",
    "2026-13-01",
    "2026-02-30",
    "2026-11-22 24:00:00",
    "2026-11-22 03:60:00",
    "2026-11-22 03:04:05+25:00",
    "11/22/2026",
    "Nov 22, 2026 03:04:05",
    "0000-00-00 00:00:00",
    Number.NaN,
    Number.POSITIVE_INFINITY,
    8.64e15 + 1,
    new Date(Number.NaN),
    true,
    {},
    [],
    { toString: () => "2026-11-22" },
  ])("finds no time in %j", (given) => {
    expect(parseTime(given)).toBe(null);
  });

  it("reads back every time in every form that a database writes", () => {
    const time = fc.date({ min: new Date("1974-01-01"), max: new Date("4000-01-01"), noInvalidDate: true });
    const zone = fc.integer({ min: -14 * 60, max: 14 * 60 });
    fc.assert(
      fc.property(time, zone, fc.constantFrom("T", " "), (date, minutes, between) => {
        const iso = date.toISOString();
        const bare = iso.slice(0, -1).replace("T", between);
        const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1).replace("T", between);
        const two = (n: number) => String(Math.trunc(Math.abs(n))).padStart(2, "0");
        const offset = `${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
        for (const text of [
          iso,
          bare,
          `${bare}000`,
          `${bare}Z`,
          `${bare} UTC`,
          `${local}${offset}`,
          date,
          date.getTime(),
        ]) {
          expect(parseTime(text)?.getTime()).toBe(date.getTime());
        }
      }),
    );
  });
});
