import { describe, expect, it } from "vitest";
import { userByAddress } from "./user-by-address.ts";

const users = (...emails: readonly (string | null)[]) => emails.map((email, id) => ({ id: String(id), email }));

describe("userByAddress()", () => {
  it("prefers the spelling, and accepts another case", () => {
    expect(userByAddress(users("Ann@example.com", "ann@example.com"), "ann@example.com")?.id).toBe("1");
    expect(userByAddress(users("Ann@Example.com"), "ann@example.com")?.id).toBe("0");
  });

  it("accepts no address that only a collation takes for the same", () => {
    expect(userByAddress(users("ánn@example.com", "ann@example.com ", null), "ann@example.com")).toBeNull();
  });

  it("names users whose addresses differ in case alone", () => {
    const both = users("ANN@example.com", "Ann@example.com");
    expect(() => userByAddress(both, "ann@example.com")).toThrow('users "0", "1" differ in case alone');
  });
});
