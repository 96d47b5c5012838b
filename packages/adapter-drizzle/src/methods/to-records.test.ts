import { expect, it } from "vitest";
import { toAccount } from "./to-records.ts";

it("an account keeps every digit of a 64-bit value; what fits a number is one", () => {
  const row = { provider: "example", providerAccountId: "7", userId: 2n ** 53n + 1n, expires_at: 1_800_000_000n };
  expect(toAccount(row as never)).toEqual({ ...row, expires_at: 1_800_000_000 });
});
