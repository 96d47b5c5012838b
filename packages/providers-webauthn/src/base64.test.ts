import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64, encodeBase64 } from "./base64.ts";

describe("encodeBase64()", () => {
  it("writes standard base64 with padding", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(encodeBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
      }),
    );
  });
});

describe("decodeBase64()", () => {
  it("is the inverse, also of the other alphabet and without padding", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        for (const form of ["base64", "base64url"] as const) {
          expect([...(decodeBase64(Buffer.from(bytes).toString(form)) ?? [])]).toEqual([...bytes]);
        }
      }),
    );
  });

  it.each(["A", "A=", "AB=C", "A B=", "é", "===="])("refuses %s", (text) => {
    expect(decodeBase64(text)).toBeNull();
  });
});
