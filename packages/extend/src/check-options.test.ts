import { describe, expect, it } from "vitest";
import { checkOptions, optionRules } from "./check-options.ts";

interface Options {
  readonly page?: string;
  readonly mode?: "ask" | "keep";
  readonly notify?: () => void;
}

const { page, oneOf, callable } = optionRules;
const check = (given: object) =>
  checkOptions<Options>("example()", given, { page, mode: oneOf("ask", "keep"), notify: callable });

describe("checkOptions()", () => {
  it("accepts what is described, and leaves out what is undefined", () => {
    expect(() => check({ page: "/a/b?c=d", mode: "keep", notify: () => undefined })).not.toThrow();
    expect(() => check({ page: undefined, mode: undefined })).not.toThrow();
  });

  it("refuses a misspelled option, and names those that exist", () => {
    expect(() => check({ Mode: "keep" })).toThrow("example(): `Mode` is not an option; use page, mode, notify.");
    expect(() => check({ constructor: 1 })).toThrow("`constructor` is not an option");
  });

  it("refuses a value that is almost one, without repeating it", () => {
    expect(() => check({ mode: "Ask" })).toThrow(/^example\(\): `mode` must be "ask" or "keep"\.$/);
    expect(() => check({ notify: "secret" })).toThrow(/^example\(\): `notify` must be a function\.$/);
  });

  it.each([
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/a\r\nb: c",
    "/a b",
    "a",
    "",
    "https://evil.example",
    7,
  ])("refuses %j as a page of the application", (given) => {
    expect(() => check({ page: given })).toThrow("`page` must be a path");
  });
});
