import type { Account } from "@cardea/core/extension-kit";
import fc from "fast-check";
import { expect, it } from "vitest";
import { joinStored, storedPart } from "./kept-sign-in.ts";

const IDS: Account = { provider: "op", providerAccountId: "1", type: "oidc" };
const names = fc.constantFrom("access_token", "id_token", "scope", "team", "expires_in", "toString");
const members = fc.dictionary(names, fc.oneof(fc.string(), fc.integer(), fc.constant(null)), { noNullPrototype: true });

it("joinStored() restores what storedPart() describes", () => {
  fc.assert(
    fc.property(members, members, (whole, chosen) => {
      const account = { ...whole, ...IDS };
      const stored = { ...chosen, ...IDS };
      expect(joinStored(account, storedPart(account, stored))).toEqual(stored);
    }),
  );
});

it("storedPart() repeats no token", () => {
  const account = { ...IDS, access_token: "a".repeat(9000), expires_in: 60 };
  const stored = { ...IDS, access_token: account.access_token, note: "own" };
  expect(storedPart(account, stored)).toEqual({ without: ["expires_in"], changed: { note: "own" } });
});
