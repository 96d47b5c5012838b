import { describe, expect, it } from "vitest";
import { judgeAuthenticatorData, parseAuthenticatorData } from "./authenticator-data.ts";

const hash = new Uint8Array(32).fill(7);

/** Authenticator data with these flags and this counter, at an offset of a larger buffer. */
function bytesOf(flags: number, counter: readonly number[]): Uint8Array {
  return Uint8Array.of(0, 0, ...hash, flags, ...counter).subarray(2);
}

describe("parseAuthenticatorData()", () => {
  it("reads hash, flags and counter, most significant byte first", () => {
    const { rpIdHash, ...rest } = parseAuthenticatorData(bytesOf(0b101, [1, 2, 3, 4])) ?? {};
    expect(rest).toEqual({ userPresent: true, userVerified: true, counter: 0x01020304 });
    expect([...(rpIdHash ?? [])]).toEqual([...hash]);
    expect(parseAuthenticatorData(bytesOf(0b11111010, [255, 255, 255, 255]))).toMatchObject({
      userPresent: false,
      userVerified: false,
      counter: 4_294_967_295,
    });
  });

  it("refuses fewer than 37 bytes", () => {
    expect(parseAuthenticatorData(new Uint8Array(36))).toBeNull();
    expect(parseAuthenticatorData(new Uint8Array(37))).not.toBeNull();
  });
});

describe("judgeAuthenticatorData()", () => {
  const given = { rpIdHash: hash, userPresent: true, userVerified: true, counter: 6 };
  const expected = { rpIdHashes: [new Uint8Array(32), hash], requireUserVerification: true, counter: 5 };

  it("takes any of several relying party ids, and a counter that has grown", () => {
    expect(judgeAuthenticatorData(given, expected)).toBeNull();
    expect(judgeAuthenticatorData(given, { ...expected, rpIdHashes: [hash.slice(1)] })).toBe("rp-id");
  });

  it("H224 wants presence always, verification where it is required", () => {
    expect(judgeAuthenticatorData({ ...given, userPresent: false }, expected)).toBe("user-presence");
    const unverified = { ...given, userVerified: false };
    expect(judgeAuthenticatorData(unverified, expected)).toBe("user-verification");
    expect(judgeAuthenticatorData(unverified, { ...expected, requireUserVerification: false })).toBeNull();
  });

  it.each([
    [0, 0, null],
    [0, 1, null],
    [1, 0, "counter"],
    [5, 5, "counter"],
    [5, 4, "counter"],
    [5, 6, null],
  ])("H226 judges a counter that goes from %i to %i: %s", (from, to, verdict) => {
    expect(judgeAuthenticatorData({ ...given, counter: to }, { ...expected, counter: from })).toBe(verdict);
  });
});
