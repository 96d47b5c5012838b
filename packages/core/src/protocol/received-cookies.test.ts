import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { decodeCookieValue, valuesOf } from "./cookie-values.ts";
import { parseCookieHeader } from "./received-cookies.ts";

const read = (header: string) => Object.fromEntries(parseCookieHeader(header).received);

describe("parseCookieHeader()", () => {
  it.each([
    ["", {}],
    ["a=1", { a: "1" }],
    ["a=1; b=2;c=3 ;\td=4", { a: "1", b: "2", c: "3", d: "4" }],
    ["a=b=c; d=", { a: "b=c", d: "" }],
    ["novalue; a=1; ; =; x", { a: "1", "": "" }],
    ['a="q"; b=%zz', { a: '"q"', b: "%zz" }],
    ["__proto__=x; constructor=y", JSON.parse('{"__proto__":"x","constructor":"y"}')],
  ])("reads %j", (header, expected) => {
    expect(read(header)).toEqual(expected);
  });

  it("looks for a `=` once, however many parts have none", () => {
    const indexOf = vi.spyOn(String.prototype, "indexOf");
    const { received } = parseCookieHeader(`${"; ;a;".repeat(2_000)}b=1;c`);
    const searches = indexOf.mock.calls.filter(([part]) => part === "=").length;
    indexOf.mockRestore();
    expect([[...received], searches]).toEqual([[["b", "1"]], 2]);
  });

  it("never throws, and keeps what is a cookie", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "=", ";", " ", "\t", '"', "é"), maxLength: 40 });
    fc.assert(fc.property(text, text, (before, after) => read(`${before};k=v;${after}`).k !== undefined));
  });

  it("removes spaces and tabs alone: any other white space belongs to the name, or to the value", () => {
    const spaces = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
      (one) => /\s/.test(one) || one.trim() === "",
    );
    expect(spaces.length).toBeGreaterThan(20);
    const blank = fc.string({ unit: fc.constantFrom(" ", "\t"), maxLength: 3 });
    const text = fc.string({ unit: fc.constantFrom("a", ...spaces.filter((one) => one !== " " && one !== "\t")) });
    fc.assert(
      fc.property(text, text, blank, blank, (name, value, before, after) => {
        expect(read(`x=y;${before}${name}${after}=${after}${value}${before};z=`)).toEqual({
          x: "y",
          [name]: value,
          z: "",
        });
      }),
    );
    for (const one of spaces) {
      for (const name of [`${one}__Host-s`, `__Host-s${one}`]) {
        expect(read(`a=b; ${name}=v`)["__Host-s"]).toBe(one === " " || one === "\t" ? "v" : undefined);
      }
    }
  });

  it("remembers every value of an ambiguous cookie, and tries the first eight", () => {
    const cookies = parseCookieHeader("a=1; b=x; a=2; a=1; b=x; a=3; a=4");
    expect(cookies.received.get("a")).toBe("1");
    expect([valuesOf("a", cookies), valuesOf("b", cookies), valuesOf("c", cookies)]).toEqual([
      ["1", "2", "3", "4"],
      ["x"],
      [],
    ]);
    const flood = parseCookieHeader(Array.from({ length: 500 }, (_, n) => `a=${n}`).join(";"));
    expect(valuesOf("a", flood)).toEqual(["0", "1", "2", "3", "4", "5", "6", "7"]);
  });
});

describe("decodeCookieValue()", () => {
  it("is the inverse of encodeURIComponent", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (value) => {
        expect(decodeCookieValue(encodeURIComponent(value))).toBe(value);
      }),
    );
  });

  it("leaves alone what has no escape, and what has a bad one (H060)", () => {
    for (const value of ["", "a+b/c==", "a:b", "%", "%zz", "50%", "%ff", "%c3%28"]) {
      expect(decodeCookieValue(value)).toBe(value);
    }
  });
});
