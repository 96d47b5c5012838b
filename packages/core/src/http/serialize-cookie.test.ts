import { describe, expect, it } from "vitest";
import { serializeCookie } from "./serialize-cookie.ts";

describe("serializeCookie()", () => {
  it("writes the attributes that are given, and the value unchanged", () => {
    const options = { httpOnly: true, sameSite: "lax", path: "/", secure: true, maxAge: 60 } as const;
    expect(serializeCookie({ name: "a", value: "b%20c", options })).toBe(
      "a=b%20c; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Lax",
    );
  });

  it("leaves out an attribute that is undefined, as one that is absent", () => {
    const options = { path: "/", domain: undefined, maxAge: undefined, secure: undefined, sameSite: undefined };
    expect(serializeCookie({ name: "a", value: "b", options })).toBe("a=b; Path=/");
  });
});
