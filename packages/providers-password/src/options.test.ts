import { describe, expect, it } from "vitest";
import { Password } from "./index.ts";

/** Options as a program without types gives them. */
const given = (options: object) => () => Password(options as never);

describe("Password()", () => {
  it.each([
    [{ pages: { reset: "/\t/evil.example" } }, "reset"],
    [{ pages: { reset: "https://evil.example/reset" } }, "reset"],
    [{ pages: { forgot: "/forgot" } }, "forgot"],
    [{ breached: true }, "breached"],
    [{ rule: { minimum: 20 } }, "minimum"],
    [{ register: { verify: "later" } }, "verify"],
  ])("refuses %j, which would not mean what it looks like", (options, name) => {
    expect(given(options)).toThrow(`\`${name}\``);
  });
});
