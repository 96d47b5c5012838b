import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { parseRecords, parseTime } from "./parse-records.ts";

const TIME = new Date("2026-01-01T00:00:00Z");
const stored = { id: "s1", createdAt: TIME.getTime(), seenAt: TIME.toISOString(), expires: TIME };
const parsed = { id: "s1", createdAt: TIME, seenAt: TIME, expires: TIME };

describe("parseRecords()", () => {
  it("parses the times of a session's record, however the database returns them", () => {
    expect(parseRecords("getSessionInfo", stored)).toEqual(parsed);
    expect(parseRecords("listSessionInfosByUserId", [stored, parsed])).toEqual([parsed, parsed]);
    expect(parseRecords("getSessionInfo", null)).toBeNull();
  });

  it("parses when a session ended, and when a credential was made and used", () => {
    const ended = parseRecords("getSessionInfo", { ...stored, endedAt: "2026-01-01 00:00:00" });
    expect(ended).toEqual({ ...parsed, endedAt: TIME });
    const row = { id: "c1", createdAt: "2026-01-01 00:00:00", usedAt: TIME.getTime() };
    const credential = { id: "c1", createdAt: TIME, usedAt: TIME };
    expect(parseRecords("listCredentialsByUserId", [row])).toEqual([credential]);
    expect(parseRecords("createCredential", row)).toEqual(credential);
    expect(parseRecords("updateCredential", { ...row, usedAt: null })).toEqual({ ...credential, usedAt: null });
    expect(() => parseRecords("listCredentialsByUserId", [{ ...row, createdAt: "soon" }])).toThrow("createdAt");
    expect(() => parseRecords("getSessionInfo", { ...stored, endedAt: 1 })).toThrow("endedAt");
  });

  it("refuses a record whose time is not one, by the name of the member", () => {
    expect(() => parseRecords("getSessionInfo", { ...parsed, seenAt: "soon" })).toThrow("seenAt");
  });

  it("refuses a `Date` made of smaller units than milliseconds, which would never be over", () => {
    const expires = new Date(1000 * TIME.getTime());
    const session = { sessionToken: "t", userId: "u1", expires };
    expect(() => parseRecords("getSessionAndUser", { session, user: { id: "u1" } })).toThrow("expires");
    expect(() => parseRecords("useVerificationToken", { identifier: "a", token: "b", expires })).toThrow("expires");
    expect(() => parseRecords("getUser", { id: "u1", emailVerified: expires })).toThrow("emailVerified");
    expect(() => parseRecords("getSessionInfo", { ...parsed, endedAt: expires })).toThrow("endedAt");
  });

  it.each([0, 1, 0n, 1n])(
    "takes %s, as some databases store true and false, for no time of a verified address",
    (value) => {
      expect(() => parseRecords("getUserByEmail", { id: "u1", emailVerified: value })).toThrow("emailVerified");
    },
  );
});

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
