import { describe, expect, it } from "vitest";
import { secondFactor } from "./index.ts";

/** Options as a program without types gives them. */
const given = (options: object) => () => secondFactor(options as never);

describe("secondFactor()", () => {
  it.each([
    [{ existing: "Ask" }, "existing"],
    [{ required: () => "always" }, "required"],
    [{ require: "always" }, "require"],
    [{ page: "/\t/evil.example" }, "page"],
    [{ page: "/factor\r\nx: y" }, "page"],
    [{ page: "//evil.example" }, "page"],
    [{ counts: { op: { acr: "urn:gold" } } }, "acr"],
    [{ counts: { op: { amrs: ["otp"] } } }, "amrs"],
    [{ passkeyIsEnough: "false" }, "passkeyIsEnough"],
  ])("refuses %j, which would not mean what it looks like", (options, name) => {
    expect(given(options)).toThrow(`\`${name}\``);
  });
});
