import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";

const bytes = () => fc.uint8Array({ maxLength: 200 });

describe("encodeBase64url()", () => {
  it("writes what Node's own encoder writes", () => {
    fc.assert(fc.property(bytes(), (given) => encodeBase64url(given) === Buffer.from(given).toString("base64url")));
  });

  it("takes more bytes than a call takes arguments", () => {
    expect(encodeBase64url(new Uint8Array(300_000))).toHaveLength(400_000);
  });
});

describe("decodeBase64url()", () => {
  it("is the inverse of encodeBase64url()", () => {
    fc.assert(
      fc.property(bytes(), (given) => {
        expect(decodeBase64url(encodeBase64url(given))).toEqual(Uint8Array.from(given));
      }),
    );
  });

  it.each(["AA==", "A+AA", "A/AA", "AA A", "AA\nA", "AAé", "AA\u{1f600}", "AA\u0000A"])("refuses %j", (text) => {
    expect(decodeBase64url(text)).toBeNull();
  });

  it.each(["A", "AAAAA"])("refuses %j, a length that no bytes have", (text) => {
    expect(decodeBase64url(text)).toBeNull();
  });

  it.each(["AB", "AP", "AAB", "AAD", "AAAAAB"])("refuses %j, whose last bits belong to no byte", (text) => {
    expect(decodeBase64url(text)).toBeNull();
  });

  it("knows one spelling of any bytes", () => {
    const text = fc.stringMatching(/^[\w-]{0,12}$/);
    fc.assert(fc.property(text, (spelling) => [null, spelling].includes(encoded(decodeBase64url(spelling)))));
  });

  it("never throws", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => decodeBase64url(text) !== undefined));
  });
});

function encoded(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : encodeBase64url(bytes);
}
