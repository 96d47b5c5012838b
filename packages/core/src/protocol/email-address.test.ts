import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../testing/src/arbitrary-text.ts";
import { pairs } from "../../../testing/src/long-form.ts";
import { isSameAddress, mailboxOf, parseEmailAddress } from "./email-address.ts";

const long = (length: number) => "x".repeat(length);

/** Characters without a mark on the screen: fillers, joiners, soft hyphens, selectors, tags, blanks. */
const INVISIBLE = [
  ...["115F", "1160", "3164", "FFA0", "AD", "34F", "61C", "17B4", "17B5", "180B", "180E", "180F", "FEFF", "FFF0"],
  ...["200B", "200C", "200D", "200E", "200F", "202A", "202E", "2060", "2061", "2062", "2063", "2064", "2066", "206F"],
  ...["FE00", "FE0E", "FE0F", "E0100", "E01EF", "E0001", "E0020", "E007F", "1D173", "1BCA0"],
  ...["2800", "1107F", "13441", "13442", "16FE4", "1D159", "13430"],
];

/** Addresses, and text that looks like one in parts. */
const anyAddress = fc.oneof(
  fc.emailAddress(),
  fc.string({ unit: "grapheme" }).map((text) => `${text}@x.io`),
  fc.string({ unit: codePoint }).map((text) => `${text}@x.io`),
  fc.tuple(fc.string({ unit: codePoint }), fc.string({ unit: codePoint })).map(([a, b]) => `${a}@${b}.io`),
  fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })).map(([a, b]) => `a${a}@b${b}`),
);

describe("parseEmailAddress()", () => {
  it.each([
    ["ann@example.com", "ann@example.com"],
    ["  Ann@Example.COM\n", "ann@example.com"],
    ["first.last+tag@sub.example.co.uk", "first.last+tag@sub.example.co.uk"],
    ["o'neil@example.com", "o'neil@example.com"],
    ["ａｎｎ@example.com", "ann@example.com"],
    ["ann@exаmple.com", "ann@xn--exmple-4nf.com"],
    ["ann@müller.example", "ann@xn--mller-kva.example"],
    ["\u212Aim@x.io", "kim@x.io"],
    ["straße@x.io", "straße@x.io"],
    ["ıd@x.io", "ıd@x.io"],
    ["H\u0331@x.io", "\u1E96@x.io"],
  ])("H196 H198 gives %j its one form", (typed, stored) => {
    expect(parseEmailAddress(typed)).toBe(stored);
  });

  it.each(["a@evil.com＠x.io", "a@evil.com﹫x.io"])("2. H192 sees a look-alike of @ as one: %s", (typed) => {
    expect(parseEmailAddress(typed)).toBeNull();
  });

  it.each([
    '"a@evil.com"@x.io',
    "a@x.io,b@evil.com",
    "a@x.io b@evil.com",
    "<a@x.io>",
    "A <a@x.io>",
    "a@x.io>",
    "a;b@x.io",
    "a@x.io;c@evil",
    "a@x.io?subject=1",
    "a\t@x.io",
    "a\u0000@x.io",
    "a@x.io\r\nBcc: b@evil.com",
    "a:b@x.io",
    "a(b)@x.io",
    ".a@x.io",
    "a.@x.io",
    "a..b@x.io",
    "a@",
    "@x.io",
    "a",
    "",
    "a@x..io",
    "a@-x.io",
    "a@x.io/",
    "a@x.io:25",
    "a@[127.0.0.1]",
    "a@127.1",
    "a@x_y.io",
    "a@@x.io",
    "a@0x7f.0x1",
    "a@1.2",
  ])("3. H193 H194 refuses %j", (typed) => {
    expect(parseEmailAddress(typed)).toBeNull();
  });

  it("5. H200 keeps to the lengths of RFC 5321", () => {
    const domain = `${long(63)}.${long(63)}.${long(57)}.io`;
    expect(parseEmailAddress(`${long(64)}@x.io`)).not.toBeNull();
    expect(parseEmailAddress(`${long(65)}@x.io`)).toBeNull();
    expect(`${long(64)}@${domain}`).toHaveLength(253);
    expect(parseEmailAddress(`${long(64)}@${domain}`)).not.toBeNull();
    expect(parseEmailAddress(`${long(64)}@x${domain}`)).toBeNull();
    expect(parseEmailAddress(`${"é".repeat(33)}@x.io`)).toBeNull();
    expect(parseEmailAddress(`${long(5000)}@x.io`)).toBeNull();
  });

  it.each(["ann@localhost", "ann@intranet"])("4. accepts a local domain only where the rules say so: %s", (typed) => {
    expect(parseEmailAddress(typed)).toBeNull();
    expect(parseEmailAddress(typed, { allowLocalDomains: false })).toBeNull();
    expect(parseEmailAddress(typed, { allowLocalDomains: true })).toBe(typed);
    expect(parseEmailAddress(`${typed}.`, { allowLocalDomains: true })).toBeNull();
  });

  it.each(INVISIBLE)("1. refuses U+%s anywhere", (hex) => {
    const invisible = String.fromCodePoint(Number.parseInt(hex, 16));
    const typed = "ann@example.com";
    for (let at = 0; at <= typed.length; at++) {
      const odd = `${typed.slice(0, at)}${invisible}${typed.slice(at)}`;
      expect([at, parseEmailAddress(odd)]).toEqual([at, null]);
    }
  });

  it("1. refuses every default-ignorable character of Unicode on both sides of the @", () => {
    const accepted: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      const character = String.fromCodePoint(point);
      if (!/\p{Default_Ignorable_Code_Point}/u.test(character)) continue;
      for (const typed of [`a${character}b@x.io`, `ab@x${character}y.io`, `ab@x.io${character}`])
        if (parseEmailAddress(typed) !== null) accepted.push(point.toString(16));
    }
    expect(accepted).toEqual([]);
  });

  it("H198 returns a form that stays as it is when it is read again", () => {
    fc.assert(
      fc.property(anyAddress, fc.boolean(), (typed, allowLocalDomains) => {
        const once = parseEmailAddress(typed, { allowLocalDomains });
        if (once !== null) expect(parseEmailAddress(once, { allowLocalDomains })).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  it("is idempotent for letters of ASCII under every combining mark", () => {
    const marks = Array.from({ length: 0x1ffff }, (_, point) => String.fromCodePoint(point)).filter((one) =>
      /\p{M}/u.test(one),
    );
    const changed: string[] = [];
    for (const [letter, mark] of pairs([..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"], marks)) {
      const once = parseEmailAddress(`${letter}${mark}@x.io`);
      if (once !== null && parseEmailAddress(once) !== once) changed.push(`${letter}${mark}`);
    }
    expect(changed).toEqual([]);
  }, 30_000);

  it("gives canonically equivalent and compatible spellings one form", () => {
    fc.assert(
      fc.property(anyAddress, (typed) => {
        const forms = (["NFC", "NFD", "NFKC", "NFKD"] as const).map((form) => parseEmailAddress(typed.normalize(form)));
        expect(new Set(forms.filter((form) => form !== null)).size).toBeLessThanOrEqual(1);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("isSameAddress()", () => {
  it.each([
    ["ann@x.io", "Ann@X.IO"],
    ["ann@x.io", " ann@x.io "],
    ["ann@b\u00fccher.example", "ann@xn--bcher-kva.example"],
    ["\u00e9@x.io", "e\u0301@x.io"],
  ])("%j and %j are one", (one, other) => {
    expect(isSameAddress(one, other)).toBe(true);
  });

  it.each([
    ["ann@x.io", "\u00e4nn@x.io"],
    ["miki@x.io", "m\u0131ki@x.io"],
    ["kim@x.io", "\u212aim@x.io"],
    ["ffi@x.io", "\ufb03@x.io"],
    ["strasse@x.io", "stra\u00dfe@x.io"],
    ["a_b@x.io", "aXb@x.io"],
    ["ann@x.io", "ann@x.io.evil.example"],
    ["ann@x.io", "ann@x.io@evil.example"],
    ["ann@x.io", ""],
  ])("%j and %j are two", (one, other) => {
    expect(isSameAddress(one, other)).toBe(false);
  });

  it("an address is the same as what it was read from, but for letters that are mapped", () => {
    fc.assert(
      fc.property(anyAddress, (text) => {
        const address = parseEmailAddress(text);
        if (address === null) return;
        expect(isSameAddress(address, address)).toBe(true);
        if (/^[\x20-\x7e]*$/.test(text)) expect(isSameAddress(text, address)).toBe(true);
      }),
    );
  });
});

describe("mailboxOf()", () => {
  it.each([
    ["ann@x.io", "ann@x.io"],
    ["ann+news@x.io", "ann@x.io"],
    ["ann+a+b@x.io", "ann@x.io"],
    ["+ann@x.io", "+ann@x.io"],
    ["É+1@x.io", "é@x.io"],
  ])("%s is delivered to %s", (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
  });
});
