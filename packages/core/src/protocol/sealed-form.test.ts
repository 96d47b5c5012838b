import { describe, expect, it } from "vitest";
import { hasSealedForm } from "./sealed-form.ts";

describe("hasSealedForm()", () => {
  it.each([
    ["eyJhbGciOiJkaXIifQ..aXY.dGV4dA.dGFn", true],
    ["a.b.c.d.e", true],
    ["a.b.c.d", false],
    ["a.b.c.d.e.f", false],
    ["", false],
    ["....", false],
    ["0f8fad5b-d9cb-469f-a165-70867728950e", false],
    ["a.b.c.d.e ", false],
    ["a:b.b.c.d.e", false],
  ])("%j: %s", (token, expected) => {
    expect(hasSealedForm(token)).toBe(expected);
  });
});
