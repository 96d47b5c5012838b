import { describe, expect, it } from "vitest";
import { attempts } from "./index.ts";

/** Options as a program without types gives them. */
const given = (options: object) => () => attempts(options as never);

describe("attempts()", () => {
  it.each([
    [{ onStoreDown: "Deny" }, "onStoreDown"],
    [{ onStoredown: "deny" }, "onStoredown"],
    [{ delay: "grow" }, "delay"],
    [{ accountOf: "email" }, "accountOf"],
  ])("refuses %j, which would not mean what it looks like", (options, name) => {
    expect(given(options)).toThrow(`\`${name}\``);
  });
});
