import { describe, expect, it } from "vitest";
import { parseLimits } from "./parse-limits.ts";

describe("parseLimits()", () => {
  it("reads every unit and scope", () => {
    expect(parseLimits("10/10m/account, 30/1s/address,5/2h/user,1/1d/account", "limits.signin")).toEqual([
      { times: 10, interval: 600, scope: "account" },
      { times: 30, interval: 1, scope: "address" },
      { times: 5, interval: 7200, scope: "user" },
      { times: 1, interval: 86_400, scope: "account" },
    ]);
  });

  it.each(["", "10", "10/10m", "0/1m/account", "1/0m/account", "1/1w/account", "1/1m/ip", "-1/1m/user", "1.5/1m/user"])(
    "refuses %j, and names the option",
    (text) => {
      expect(() => parseLimits(text, "limits.signin")).toThrow("`limits.signin`");
    },
  );
});
