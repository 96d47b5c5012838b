import { describe, expect, it } from "vitest";
import { parseRecords } from "./parse-records.ts";

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

  it("CARDEA-2026-32 refuses a `Date` made of smaller units than milliseconds, which would never be over", () => {
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
