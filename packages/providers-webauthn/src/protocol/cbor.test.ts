import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeCbor } from "./cbor.ts";

const decode = (...bytes: number[]) => decodeCbor(Uint8Array.from(bytes));

describe("decodeCbor()", () => {
  it.each([
    [[0x17], 23],
    [[0x18, 0xff], 255],
    [[0x19, 0x01, 0x00], 256],
    [[0x1a, 0x01, 0x00, 0x00, 0x00], 16_777_216],
    [[0x26], -7],
    [[0x39, 0x01, 0x00], -257],
    [[0x62, 0x68, 0x69], "hi"],
    [[0xf4], false],
    [[0xf5], true],
    [[0xf6], null],
    [
      [0x82, 1, 2],
      [1, 2],
    ],
    [[0x41, 9], Uint8Array.of(9)],
    [[0xa1, 0x61, 0x61, 1], new Map([["a", 1]])],
  ])("reads %j (RFC 8949 Appendix A)", (bytes, value) => {
    expect(decode(...bytes)).toEqual({ value, end: bytes.length });
  });

  it.each([
    ["nothing", []],
    ["an integer beyond 2^53", [0x1b, 0xff, 0, 0, 0, 0, 0, 0, 0]],
    ["text that is no UTF-8", [0x61, 0xff]],
    ["text that is cut off", [0x62, 0x61]],
    ["a length beyond the end", [0x5a, 0xff, 0xff, 0xff, 0xff]],
    ["indefinite length", [0x9f, 1, 0xff]],
    ["a tag", [0xc0, 1]],
    ["a floating-point number", [0xf9, 0x3c, 0x00]],
    ["undefined", [0xf7]],
    ["a key twice", [0xa2, 1, 1, 1, 2]],
    ["a key that is bytes", [0xa1, 0x41, 1, 1]],
    ["too deep", Array(20).fill(0x81)],
    ["a long list of nothing", [0x9a, 0xff, 0xff, 0xff, 0xff]],
  ])("refuses %s", (_, bytes) => {
    expect(decode(...bytes)).toBeNull();
  });

  it("never throws, and never reads beyond the end", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(decodeCbor(bytes)?.end ?? 0).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});
