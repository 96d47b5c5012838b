import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../testing/src/arbitrary-text.ts";
import * as native from "./base64url.ts";
import { findNodeBuffer } from "./base64url.ts";

const implementations = [
  ["native", native.encodeBase64url, native.decodeBase64url],
  ["portable", native.encodePortably, native.decodePortably],
] as const;

const bytes = () => fc.uint8Array({ maxLength: 200 });

describe.each(implementations)("%s", (_, encodeBase64url, decodeBase64url) => {
  const encoded = (text: string) => {
    const given = decodeBase64url(text);
    return given === null ? null : encodeBase64url(given);
  };

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
          expect(decodeBase64url(encodeBase64url(given))).toSatisfy(
            (read) => read !== null && Buffer.compare(read, given) === 0,
          );
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
      fc.assert(fc.property(text, (spelling) => [null, spelling].includes(encoded(spelling))));
    });

    it("never throws", () => {
      fc.assert(fc.property(fc.string({ unit: codePoint }), (text) => decodeBase64url(text) !== undefined));
    });
  });
});

describe("findNodeBuffer()", () => {
  it("finds it here, and the text is the same with it and without", () => {
    expect(findNodeBuffer(globalThis)).toBe(Buffer);
    const text = fc.oneof(fc.base64String(), fc.stringMatching(/^[\w-]{0,12}$/), fc.string());
    const read = (decode: typeof native.decodeBase64url, given: string) => decode(given)?.join();
    fc.assert(fc.property(text, (given) => read(native.decodeBase64url, given) === read(native.decodePortably, given)));
  });

  it.each([
    ["none", {}],
    ["one that is not a class", { Buffer: {} }],
    [
      "one without the encoding",
      { Buffer: Object.assign(() => undefined, { from: () => undefined, isEncoding: () => false }) },
    ],
  ])("is null in a runtime with %s", (_, realm) => {
    expect(findNodeBuffer(realm)).toBeNull();
  });
});
