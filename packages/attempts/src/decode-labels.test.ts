import { domainToASCII } from "node:url";
import { parseEmailAddress } from "@cardea/extend";
import { assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";
import { namesOf } from "./account-of.ts";
import { decodeLabels } from "./decode-labels.ts";
import { foldName } from "./fold-name.ts";

describe("decodeLabels()", () => {
  it.each([
    ["ann@xn--bcher-kva.example", "ann@bücher.example"],
    ["ann@xn--fa-hia.de", "ann@faß.de"],
    ["xn--wgv71a119e.xn--jxalpdlp", "日本語.δοκιμή"],
    ["xn--n3h.com", "☃.com"],
    ["xn--3e0b707e", "한국"],
  ])("decodes %s", (encoded, decoded) => {
    expect(decodeLabels(encoded)).toBe(decoded.normalize("NFC"));
  });

  it.each(["xn--", "xn--99999999", "axn--bcher-kva", "xn--bcher_kva", `xn--${"9".repeat(59)}`, "ann"])(
    "leaves %s as it is",
    (name) => {
      expect(decodeLabels(name)).toBe(name);
    },
  );

  it("undoes what a domain becomes in the DNS, and never throws", () => {
    assert(
      property(string({ unit: "grapheme", minLength: 1, maxLength: 12 }), (label) => {
        const ascii = domainToASCII(`${label}.example`);
        if (ascii !== "") expect(domainToASCII(decodeLabels(ascii))).toBe(ascii);
        expect(typeof decodeLabels(`xn--${label}`)).toBe("string");
      }),
    );
  });
});

describe("foldName()", () => {
  it("counts an address under one name in either form of its domain", () => {
    for (const address of ["ann@bücher.example", "ann@faß.de", "ann@日本語.example", "ANN@BÜCHER.Straße.example"]) {
      const encoded = parseEmailAddress(address) ?? "";
      expect(encoded).toContain("xn--");
      expect(foldName(encoded)).toBe(foldName(address));
      expect(foldName(encoded.toUpperCase())).toBe(foldName(address));
    }
  });

  it("and namesOf() has the name of the canonical form, whatever the domain", () => {
    assert(
      property(string({ unit: "grapheme", minLength: 1, maxLength: 8 }), (label) => {
        const address = `ann@x${label}.example`;
        const encoded = parseEmailAddress(address);
        if (encoded !== null) expect(namesOf(address)).toEqual(expect.arrayContaining([...namesOf(encoded)]));
      }),
      { numRuns: 500 },
    );
  });
});
