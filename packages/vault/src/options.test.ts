import { describe, expect, it } from "vitest";
import { vault } from "./index.ts";

/** Options as a program without types gives them. */
const given = (options: object) => () => vault(options as never);

describe("vault()", () => {
  it.each([
    [{ seal: "yes" }, "seal"],
    [{ encrypt: true }, "encrypt"],
    [{ providers: { github: { refresh: "Never" } } }, "refresh"],
    [{ providers: { github: { api: [] } } }, "api"],
  ])("refuses %j, which would not mean what it looks like", (options, name) => {
    expect(given(options)).toThrow(`\`${name}\``);
  });
});
