import { describe, expect, it } from "vitest";
import { createActionURL, isAuthAction } from "../index.ts";
import { AuthError } from "../model/errors.ts";

const forwarded = new Headers({
  "x-forwarded-host": "app.example.com",
  "x-forwarded-proto": "https",
  host: "10.0.0.1",
});

describe("createActionURL()", () => {
  it.each<[string, Headers, Record<string, string>, string | undefined, string]>([
    ["behind a proxy", forwarded, {}, "/auth", "https://app.example.com/auth/signin"],
    ["without one", new Headers({ host: "localhost:3000" }), {}, "/api/auth", "http://localhost:3000/api/auth/signin"],
    ["at the root", new Headers({ host: "localhost:3000" }), {}, "/", "http://localhost:3000/signin"],
    ["with AUTH_URL", forwarded, { AUTH_URL: "https://a.example" }, "/auth", "https://a.example/auth/signin"],
    [
      "with its former name",
      forwarded,
      { NEXTAUTH_URL: "https://a.example" },
      "/auth",
      "https://a.example/auth/signin",
    ],
    ["with a path in it", forwarded, { AUTH_URL: "https://a.example/x/" }, undefined, "https://a.example/x/signin"],
    [
      "with a path in it and another",
      forwarded,
      { AUTH_URL: "https://a.example/x" },
      "/y",
      "https://a.example/y/signin",
    ],
  ])("says where an action is, %s", (_where, headers, env, basePath, expected) => {
    expect(createActionURL("signin", "http:", headers, env, { basePath }).href).toBe(expected);
    expect(createActionURL("signin", "http", headers, env, { basePath }).href).toBe(expected);
  });

  it("refuses a host that is not valid", () => {
    const headers = new Headers({ host: "a.example/@b.example" });
    expect(() => createActionURL("signin", "http", headers, {}, {})).toThrow(AuthError);
  });
});

describe("isAuthAction()", () => {
  it("knows the actions by their exact names", () => {
    const names = ["signin", "session", "webauthn-options", "SIGNIN", "signin/github", "", "__proto__", "constructor"];
    expect(names.filter(isAuthAction)).toEqual(["signin", "session", "webauthn-options"]);
  });
});
