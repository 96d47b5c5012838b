import { describe, expect, it } from "vitest";
import { carriedMethod } from "./request-method.ts";

describe("carriedMethod()", () => {
  it.each(["GET", "get", "Patch", "PROPFIND", "M-SEARCH", "TRACER", "x"])("accepts %s, in upper case", (method) => {
    expect(carriedMethod(method)).toBe(method.toUpperCase());
    expect(new Request("http://localhost/", { method }).method.toUpperCase()).toBe(method.toUpperCase());
  });

  it.each(["TRACE", "trace", "CONNECT", "Track", "", "a b", "GET\n", "Ö", "ſ", "ı", "G:T"])(
    "has none for %j",
    (method) => {
      expect(carriedMethod(method)).toBeNull();
      const build = () => new Request("http://localhost/", { method });
      expect(build).toThrow(TypeError);
    },
  );
});
