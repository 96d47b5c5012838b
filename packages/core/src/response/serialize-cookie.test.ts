import { type SetCookie, stringifySetCookie, parseSetCookie as upstreamParse } from "cookie";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CookieAttributes } from "../model/config.ts";
import { parseSetCookie } from "./parse-set-cookie.ts";
import { serializeCookie } from "./serialize-cookie.ts";

const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,12}$/);
const value = fc.stringMatching(/^[!-:<-~]{0,20}$/);
type Written = Omit<SetCookie, "name" | "value">;

const attributes: fc.Arbitrary<Written> = fc.record(
  {
    domain: fc.domain(),
    path: fc.stringMatching(/^\/[\w-]{0,8}$/),
    maxAge: fc.integer({ min: -1, max: 34_560_000 }),
    expires: fc.date({ min: new Date(0), max: new Date("2100-01-01"), noInvalidDate: true }),
    httpOnly: fc.boolean(),
    secure: fc.boolean(),
    partitioned: fc.boolean(),
    sameSite: fc.constantFrom("lax" as const, "strict" as const, "none" as const, true, false),
    priority: fc.constantFrom("low" as const, "medium" as const, "high" as const),
  },
  { requiredKeys: [] },
);

const asItIs = (text: string) => text;

describe("serializeCookie()", () => {
  it("writes what the package cookie writes", () => {
    fc.assert(
      fc.property(token, value, attributes, (name, text, options) => {
        const expected = stringifySetCookie({ name, value: text, ...options }, { encode: asItIs });
        expect(serializeCookie({ name, value: text, options })).toBe(expected);
      }),
    );
  });

  it("writes any name, value and attribute as one line with the attributes that were given, or throws", () => {
    const anything = fc.string({ unit: fc.constantFrom(...'aZ0.-=;, \t\r\n\0"\\/é') });
    fc.assert(
      fc.property(anything, anything, anything, anything, (name, text, domain, path) => {
        let line: string;
        try {
          line = serializeCookie({ name, value: text, options: { domain, path } });
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
          return;
        }
        expect(line).toMatch(/^[\x20-\x7e]+$/);
        expect(line.split(";")).toHaveLength(1 + (domain ? 1 : 0) + (path ? 1 : 0));
      }),
    );
  });

  it.each<[string, CookieAttributes]>([
    ["maxAge", { maxAge: 1.5 }],
    ["maxAge", { maxAge: Number.NaN }],
    ["domain", { domain: "a..b" }],
    ["domain", { domain: "-a" }],
    ["path", { path: "/;x" }],
    ["path", { path: "/é" }],
    ["expires", { expires: new Date(Number.NaN) }],
  ])("refuses %s %j", (what, options) => {
    expect(() => serializeCookie({ name: "a", value: "b", options })).toThrow(
      `The ${what} of a cookie cannot be written.`,
    );
  });
});

describe("parseSetCookie()", () => {
  it("is the inverse of serializeCookie()", () => {
    fc.assert(
      fc.property(token, value, attributes, (name, text, options) => {
        const line = serializeCookie({ name, value: text, options });
        expect(serializeCookie(parseSetCookie(line))).toBe(line);
      }),
    );
  });

  it("reads what the package cookie reads", () => {
    const line = fc.array(
      fc.constantFrom(
        "a=b",
        "a",
        "Path=/x",
        "path",
        "MAX-AGE=7",
        "Max-Age=x",
        "Expires=x",
        "SameSite=LAX",
        "SameSite=x",
        "Secure",
        "Priority=High",
        " Domain = x ",
      ),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(line, (parts) => {
        const text = ["name=a%20b", ...parts].join("; ");
        const { name, value: read = "", ...options } = upstreamParse(text, { decode: asItIs });
        expect(parseSetCookie(text)).toEqual({
          name,
          value: read,
          options: { ...options, ...emptyTexts(text, options) },
        });
      }),
    );
  });
});

/** `Path` and `Domain` without a value: the package gives undefined, we the empty text. */
function emptyTexts(text: string, options: { path?: string | undefined }): CookieAttributes {
  return "path" in options && options.path === undefined && /path/i.test(text) ? { path: "" } : {};
}
