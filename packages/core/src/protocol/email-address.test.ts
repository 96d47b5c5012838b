import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseEmailAddress } from "./email-address.ts";

const long = (length: number) => "x".repeat(length);

describe("parseEmailAddress()", () => {
  it.each([
    ["ann@example.com", "ann@example.com"],
    ["  Ann@Example.COM\n", "ann@example.com"],
    ["first.last+tag@sub.example.co.uk", "first.last+tag@sub.example.co.uk"],
    ["o'neil@example.com", "o'neil@example.com"],
    ["ann@localhost", "ann@localhost"],
    ["ａｎｎ@example.com", "ann@example.com"],
    ["ann@exаmple.com", "ann@xn--exmple-4nf.com"],
    ["ann@müller.example", "ann@xn--mller-kva.example"],
    ["\u212Aim@x.io", "kim@x.io"],
    ["straße@x.io", "straße@x.io"],
    ["ıd@x.io", "ıd@x.io"],
  ])("H196 H198 gives %j its one form", (typed, stored) => {
    expect(parseEmailAddress(typed)).toBe(stored);
  });

  it.each(["a@evil.com＠x.io", "a@evil.com﹫x.io"])("1. H192 sees a look-alike of @ as one: %s", (typed) => {
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
  ])("2. H193 H194 refuses %j", (typed) => {
    expect(parseEmailAddress(typed)).toBeNull();
  });

  it("3. H200 keeps to the lengths of RFC 5321", () => {
    const domain = `${long(63)}.${long(63)}.${long(57)}.io`;
    expect(parseEmailAddress(`${long(64)}@x.io`)).not.toBeNull();
    expect(parseEmailAddress(`${long(65)}@x.io`)).toBeNull();
    expect(`${long(64)}@${domain}`).toHaveLength(253);
    expect(parseEmailAddress(`${long(64)}@${domain}`)).not.toBeNull();
    expect(parseEmailAddress(`${long(64)}@x${domain}`)).toBeNull();
    expect(parseEmailAddress(`${"é".repeat(33)}@x.io`)).toBeNull();
    expect(parseEmailAddress(`${long(5000)}@x.io`)).toBeNull();
  });

  it("4. H198 gives a form that stays as it is when it is read again", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.emailAddress(),
          fc.string({ unit: "grapheme" }).map((text) => `${text}@x.io`),
        ),
        (typed) => {
          const once = parseEmailAddress(typed);
          if (once !== null) expect(parseEmailAddress(once)).toBe(once);
        },
      ),
    );
  });
});
