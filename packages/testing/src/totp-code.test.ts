import { describe, expect, it } from "vitest";
import { totpCode } from "./totp-code.ts";

describe("totpCode()", () => {
  // RFC 6238, appendix B, SHA-1: the last six of the eight digits.
  it.each([
    [59, "287082"],
    [1_111_111_109, "081804"],
    [1_111_111_111, "050471"],
    [1_234_567_890, "005924"],
    [2_000_000_000, "279037"],
    [20_000_000_000, "353130"],
  ])("at second %d", async (seconds, code) => {
    expect(await totpCode("GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ", seconds * 1000)).toBe(code);
  });
});
