import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkAgainstRecord, checkAuthenticatorData, parseAuthenticatorData } from "./authenticator-data.ts";

const hash = new Uint8Array(32).fill(7);

/** ES256 on P-256: `{1: 2, 3: -7, -1: 1, -2: x, -3: y}`. */
const KEY = [0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x42, 1, 1, 0x22, 0x42, 2, 2];

/** Authenticator data with these flags and this counter, at an offset of a larger buffer. */
function bytesOf(flags: number, counter: readonly number[], rest: readonly number[] = []): Uint8Array {
  return Uint8Array.of(0, 0, ...hash, flags, ...counter, ...rest).subarray(2);
}

/** Attested credential data with an id of this length. */
function attested(length: number, key: readonly number[] = KEY): readonly number[] {
  return [...Array(16).fill(0), length >> 8, length & 255, ...Array(length).fill(9), ...key];
}

const NONE = [0, 0, 0, 0];

describe("parseAuthenticatorData()", () => {
  it("reads hash, flags and counter, most significant byte first", () => {
    const { rpIdHash, ...rest } = parseAuthenticatorData(bytesOf(0b101, [1, 2, 3, 4])) ?? {};
    const backup = { backupEligible: false, backedUp: false };
    expect(rest).toEqual({ userPresent: true, userVerified: true, ...backup, counter: 0x01020304, credential: null });
    expect([...(rpIdHash ?? [])]).toEqual([...hash]);
    expect(parseAuthenticatorData(bytesOf(0b00111010, [255, 255, 255, 255]))).toMatchObject({
      userPresent: false,
      userVerified: false,
      backupEligible: true,
      backedUp: true,
      counter: 4_294_967_295,
    });
  });

  it("refuses fewer than 37 bytes, and more than the flags announce", () => {
    expect(parseAuthenticatorData(new Uint8Array(36))).toBeNull();
    expect(parseAuthenticatorData(new Uint8Array(37))).not.toBeNull();
    expect(parseAuthenticatorData(new Uint8Array(38))).toBeNull();
  });

  it.each([
    ["a credential", 0x41, attested(16), true],
    ["a credential and extensions", 0xc1, [...attested(16), 0xa0], true],
    ["extensions alone", 0x81, [0xa1, 0x61, 0x61, 0xf5], true],
    ["an id of 1023 bytes", 0x41, attested(1023), true],
    ["an id of 1024 bytes", 0x41, attested(1024), false],
    ["no id", 0x41, attested(0), false],
    ["a credential that was not announced", 0x01, attested(16), false],
    ["no credential where one was announced", 0x41, [], false],
    ["half a credential", 0x41, attested(16).slice(0, 30), false],
    ["no extensions where they were announced", 0x81, [], false],
    ["extensions that are no map", 0x81, [0x80], false],
    ["a byte too many", 0x41, [...attested(16), 0], false],
    ["an ES256 key on another curve", 0x41, attested(16, KEY.with(6, 2)), false],
    ["an ES256 key of another type", 0x41, attested(16, KEY.with(2, 3)), false],
    ["a key without an algorithm", 0x41, attested(16, [0xa1, 1, 2]), false],
    ["an EdDSA key on Ed448", 0x41, attested(16, [0xa3, 1, 1, 3, 0x27, 0x20, 7]), false],
    ["an EdDSA key on Ed25519", 0x41, attested(16, [0xa3, 1, 1, 3, 0x27, 0x20, 6]), true],
  ])("reads to the end: %s", (_, flags, rest, isWell) => {
    expect(parseAuthenticatorData(bytesOf(flags, NONE, rest)) !== null).toBe(isWell);
  });

  it("never throws", () => {
    const tail = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(fc.nat(255), tail, (flags, rest) => void parseAuthenticatorData(bytesOf(flags, NONE, [...rest]))),
    );
  });
});

describe("checkAuthenticatorData()", () => {
  const backup = { backupEligible: false, backedUp: false };
  const given = { rpIdHash: hash, userPresent: true, userVerified: true, ...backup, counter: 6, credential: null };
  const expected = { rpIdHashes: [new Uint8Array(32), hash], requireUserVerification: true };

  it("takes any of several relying party ids", () => {
    expect(checkAuthenticatorData(given, expected)).toBeNull();
    expect(checkAuthenticatorData(given, { ...expected, rpIdHashes: [hash.slice(1)] })).toBe("rp-id");
  });

  it("H224 wants presence always, verification where it is required", () => {
    expect(checkAuthenticatorData({ ...given, userPresent: false }, expected)).toBe("user-presence");
    const unverified = { ...given, userVerified: false };
    expect(checkAuthenticatorData(unverified, expected)).toBe("user-verification");
    expect(checkAuthenticatorData(unverified, { ...expected, requireUserVerification: false })).toBeNull();
  });

  it("for any flags and any record, lets pass exactly what holds", () => {
    const flags = fc.record({ up: fc.boolean(), uv: fc.boolean(), be: fc.boolean(), bs: fc.boolean() });
    const deviceType = fc.constantFrom("singleDevice", "multiDevice", "", "constructor", "somethingElse");
    const counter = fc.oneof(fc.constantFrom(0, 1, 2), fc.nat(0xffffffff));
    fc.assert(
      fc.property(flags, deviceType, counter, counter, fc.boolean(), (set, type, before, now, uvRequired) => {
        const bits = (set.up ? 1 : 0) | (set.uv ? 4 : 0) | (set.be ? 8 : 0) | (set.bs ? 16 : 0);
        const count = [now >>> 24, (now >>> 16) & 255, (now >>> 8) & 255, now & 255];
        const data = parseAuthenticatorData(bytesOf(bits, count));
        if (data === null) throw new Error("unread");
        const problem =
          checkAuthenticatorData(data, { ...expected, requireUserVerification: uvRequired }) ??
          checkAgainstRecord(data, { counter: before, deviceType: type });
        const sameEligibility = type === "singleDevice" ? !set.be : type === "multiDevice" ? set.be : true;
        const holds = set.up && (set.uv || !uvRequired) && (set.be || !set.bs) && sameEligibility;
        expect(problem === null).toBe(holds && (set.be || now > before || (now === 0 && before === 0)));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("checkAgainstRecord()", () => {
  const backup = { backupEligible: false, backedUp: false };
  const given = { rpIdHash: hash, userPresent: true, userVerified: true, ...backup, counter: 6, credential: null };

  it.each([
    [0, 0, null],
    [0, 1, null],
    [1, 0, "counter"],
    [5, 5, "counter"],
    [5, 4, "counter"],
    [5, 6, null],
    [Number.NaN, 6, "counter"],
  ])("H226 judges a counter that goes from %i to %i: %s", (counter, to, verdict) => {
    expect(checkAgainstRecord({ ...given, counter: to }, { counter, deviceType: "singleDevice" })).toBe(verdict);
  });
});
