import { describe, expect, it } from "vitest";
import { checkShape } from "./validate-config.ts";

const findProblems = (config: unknown) => checkShape(config).problems;

/** A configuration with one value at a path such as `session.maxAge`, and nothing else but providers. */
function configWith(path: string, value: unknown): unknown {
  return path.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
}

const problemsOf = (path: string, value: unknown) =>
  findProblems(Object.assign({ providers: [] }, configWith(path, value)));

const HUNDRED_YEARS = 3_162_240_000;

describe("checkShape()", () => {
  it("finds nothing in the smallest configuration, nor in undefined members", () => {
    expect(findProblems({ providers: [] })).toEqual([]);
    expect(problemsOf("session.maxAge", undefined)).toEqual([]);
    expect(problemsOf("cookies", undefined)).toEqual([]);
  });

  it("accepts as store what has the four calls, and both of a log where there is one", () => {
    const call = () => null;
    const four = { get: call, set: call, add: call, swap: call };
    for (const store of [four, { ...four, log: undefined }, { ...four, log: { append: call, since: call } }])
      expect(problemsOf("store", store)).toEqual([]);
    const { swap: _, ...three } = four;
    for (const store of [
      null,
      "redis://localhost",
      new Map(),
      three,
      { ...four, log: { append: call } },
      { ...four, log: call },
    ])
      expect(problemsOf("store", store)).toEqual([
        { option: "store", message: expect.stringContaining("must be a store: `get`, `set`, `add` and `swap`") },
      ]);
  });

  it("names every problem at once, each with the option, what is accepted and what kind of value was given", () => {
    const config = {
      providers: "google",
      debug: "secret text",
      session: { maxAge: null },
      pages: [],
      jwt: { encode: 1n },
    };
    expect(findProblems(config)).toEqual([
      { option: "providers", message: "must be a list of providers (given: a string)" },
      { option: "debug", message: "must be a boolean (given: a string)" },
      { option: "jwt.encode", message: "must be a function (given: a bigint)" },
      { option: "pages", message: "must be an object (given: a list)" },
      {
        option: "session.maxAge",
        message: `must be a whole number of seconds from 1 to ${HUNDRED_YEARS} (given: null)`,
      },
    ]);
  });

  it.each([
    [undefined, "nothing"],
    [null, "null"],
    [[], "a list"],
    ["text", "a string"],
  ])("says that a configuration must be an object when it is %j", (config, kind) => {
    expect(findProblems(config)).toEqual([{ option: "config", message: `must be an object (given: ${kind})` }]);
  });

  it.each([
    ["session.maxAge", [1, HUNDRED_YEARS], [0, -1, 1.5, HUNDRED_YEARS + 1, Number.NaN, Infinity, "60"]],
    ["session.updateAge", [0], [-1, 0.5, "0"]],
    ["session.strategy", ["jwt", "database"], ["JWT", "", "cookie", ["jwt"]]],
    ["basePath", ["/", "/auth", "/api/auth/"], ["auth", "", "//auth", "/a/../b", "/a?b", "/a b", null]],
    ["pages.signIn", ["/login", "https://x.example/login?a=b"], ["login", "//x", "/\\x", "http://", "javascript:0", 1]],
    ["secret", ["x", ["x", undefined], []], [1, null, [null], ["x", 1], {}]],
    ["redirectProxyUrl", ["https://x.example/auth", "http://localhost:3000"], ["http://x.example", "x", 1]],
    ["maxTenants", [1, 100_000], [0, -1, 1.5, "1", Infinity]],
    ["encodedSlashes", ["allow", "refuse"], [true, "Allow", ""]],
    ["redirectProxyOrigins", [[], ["https://*.x.example.com"]], [["x"], [undefined], "https://x.example"]],
    [
      "redirectSchemes",
      [[], ["myapp", "com.example.app"]],
      [["javascript"], ["data"], ["file"], ["blob"], ["JavaScript"], ["myapp:"], ["myapp://"], [""], [1], "myapp"],
    ],
    ["cookies.state.name", ["__Host-a"], ["", "a b", "a=b", 1]],
    ["cookies.state.options.domain", ["", ".x.example"], ["a/b", 1]],
    ["cookies.state.options.path", ["/", "/a"], ["a", "/;", ""]],
    ["cookies.state.options.sameSite", [true, false, "lax", "Strict", "none"], ["lex", 1, null]],
    ["cookies.state.options.priority", ["low", "High"], ["top", true]],
    ["cookies.state.options.maxAge", [0], [-1, "0"]],
    ["cookies.state.options.expires", [new Date(0)], [new Date(Number.NaN), 0, "1970"]],
    ["events.signIn", [() => {}], [1, null]],
    ["events.misspelled", [() => {}], [1, "text"]],
    ["theme.colorScheme", ["auto", "dark", "light"], ["Dark", null]],
    ["trustHost", [true, false], ["true", 1]],
  ] as const)("%s: accepts %j, refuses %j", (path, accepted, refused) => {
    for (const value of accepted) expect([value, problemsOf(path, value)]).toEqual([value, []]);
    for (const value of refused) expect([value, problemsOf(path, value).length]).toEqual([value, 1]);
  });

  it("leaves options alone that it does not know", () => {
    expect(problemsOf("somethingElse", 1)).toEqual([]);
    expect(problemsOf("callbacks.somethingElse", 1)).toEqual([]);
  });
});
