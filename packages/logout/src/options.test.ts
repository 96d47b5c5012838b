import { describe, expect, it } from "vitest";
import { logout } from "./index.ts";

/** Options as a program without types gives them. */
const given = (options: object) => () => logout(options as never);

describe("logout()", () => {
  it.each([
    [{ provider: "Never" }, "provider"],
    [{ backChannel: true }, "backChannel"],
    [{ backchannel: "false" }, "backchannel"],
    [{ revoke: "github" }, "revoke"],
  ])("refuses %j, which would not mean what it looks like", (options, name) => {
    expect(given(options)).toThrow(`\`${name}\``);
  });
});
