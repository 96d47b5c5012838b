import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { serializeCookie } from "./serialize-cookie.ts";
import { toCookie } from "./to-parts.ts";

const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const text = (characters: RegExp) => fc.stringMatching(characters, { size: "small" });

const anyCookie = fc.record({
  name: text(/^[\w.-]{1,20}$/),
  value: text(/^[\w.=%-]{0,40}$/),
  options: fc.record({
    domain: some(text(/^[a-z]{1,9}\.example$/)),
    expires: some(fc.integer({ min: 0, max: 4e9 }).map((seconds) => new Date(seconds * 1000))),
    httpOnly: some(fc.constant(true)),
    maxAge: some(fc.integer({ min: 0, max: 1e9 })),
    partitioned: some(fc.constant(true)),
    path: some(text(/^\/[A-Za-z=]{0,9}$/)),
    priority: some(fc.constantFrom("low" as const, "medium" as const, "high" as const)),
    sameSite: some(fc.constantFrom("lax" as const, "strict" as const, "none" as const)),
    secure: some(fc.constant(true)),
  }),
});

describe("toCookie()", () => {
  it("reads every cookie that is written", () => {
    fc.assert(
      fc.property(anyCookie, (cookie) => {
        expect(toCookie(serializeCookie(cookie))).toEqual(cookie);
      }),
    );
  });

  it("keeps a value as it is encoded, and each attribute in its own type", () => {
    const line = "a=b%20c=; Max-Age=60; Path=/x; Expires=Thu, 01 Jan 1970 00:00:01 GMT; HttpOnly; SameSite=Strict";
    const options = { maxAge: 60, path: "/x", expires: new Date(1000), httpOnly: true, sameSite: "strict" };
    expect(toCookie(line)).toEqual({ name: "a", value: "b%20c=", options });
  });
});
