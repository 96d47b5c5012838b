import { afterEach, describe, expect, it } from "vitest";
import { fromStored } from "./columns.ts";

const zone = process.env.TZ;
afterEach(() => {
  if (zone === undefined) delete process.env.TZ;
  else process.env.TZ = zone;
});

const read = (expires: unknown) => fromStored({ expires }, { expires: "time" }).expires;

describe("fromStored()", () => {
  it.each([
    ["2026-07-01 03:00:00", "2026-07-01T03:00:00.000Z"],
    ["2026-07-01T03:00:00.123456", "2026-07-01T03:00:00.123Z"],
    ["2026-07-01 03:00:00+02", "2026-07-01T01:00:00.000Z"],
    ["2026-07-01 03:00:00.5-0330", "2026-07-01T06:30:00.500Z"],
    ["2026-07-01T03:00:00.000Z", "2026-07-01T03:00:00.000Z"],
    ["2026-07-01", "2026-07-01T00:00:00.000Z"],
    [Date.UTC(2026, 6, 1), "2026-07-01T00:00:00.000Z"],
  ])("reads %s as one time, whatever the zone of the server", (stored, expected) => {
    for (const name of ["America/New_York", "Asia/Kolkata", "UTC"]) {
      process.env.TZ = name;
      expect(read(stored)).toEqual(new Date(expected));
    }
  });

  it.each(["07/01/2026", "1 July 2026 03:00", "soon", "2026-13-01", ""])(
    "refuses %s, by the name of the column",
    (stored) => {
      expect(() => read(stored)).toThrow("expires");
    },
  );
});
