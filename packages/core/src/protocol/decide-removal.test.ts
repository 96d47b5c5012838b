import { describe, expect, it } from "vitest";
import type { SignInMethodRemoval } from "../model/adapter.ts";
import { canSignIn, decideRemoval, type SignInRecords, tablesOfRemoval } from "./decide-removal.ts";

const NOTHING = { providers: [], passkeys: [], credentials: [], address: false } as const;
const ALL = { providers: ["github"], passkeys: ["passkey"], credentials: ["password"], address: true } as const;
const github = { provider: "github", providerAccountId: "1" };
const google = { provider: "google", providerAccountId: "1" };
const passkey = { provider: "passkey", providerAccountId: "key" };
const EMPTY: SignInRecords = {
  user: { email: "ann@example.com", emailVerified: null },
  accounts: [],
  authenticators: [],
  credentials: [],
};
const removal = (given: Partial<SignInMethodRemoval> = {}): SignInMethodRemoval => ({
  ...{ userId: "ann", accounts: [], authenticators: [], credentials: [], counts: ALL },
  ...given,
});

describe("canSignIn()", () => {
  it.each([
    ["an account of a configured provider", { ...EMPTY, accounts: [github] }, true],
    ["an account of a provider that is no longer configured", { ...EMPTY, accounts: [google] }, false],
    ["the account of a passkey without its key", { ...EMPTY, accounts: [passkey] }, false],
    [
      "a passkey without its account",
      { ...EMPTY, authenticators: [{ credentialID: "c", providerAccountId: "key" }] },
      false,
    ],
    [
      "a passkey and its account",
      { ...EMPTY, accounts: [passkey], authenticators: [{ credentialID: "c", providerAccountId: "key" }] },
      true,
    ],
    ["a password", { ...EMPTY, credentials: [{ id: "1", type: "password" }] }, true],
    ["a second factor alone", { ...EMPTY, credentials: [{ id: "1", type: "totp" }] }, false],
    ["an address that was never verified", EMPTY, false],
    ["a verified address", { ...EMPTY, user: { email: "ann@example.com", emailVerified: new Date() } }, true],
    ["a verification without an address", { ...EMPTY, user: { email: "", emailVerified: new Date() } }, false],
    ["no user", { ...EMPTY, user: null, accounts: [github] }, false],
  ])("%s", (_name, records, expected) => {
    expect(canSignIn(ALL, records)).toBe(expected);
    expect(canSignIn(NOTHING, records)).toBe(false);
  });
});

describe("decideRemoval()", () => {
  const two = { ...EMPTY, accounts: [github, google] };

  it("removes what is not the last way to sign in, whether or not it counts", () => {
    expect(decideRemoval(removal({ accounts: [google] }), two)).toBe("removed");
    expect(decideRemoval(removal({ accounts: [github] }), two)).toBe("last");
  });

  it("removes nothing of a user who does not have it", () => {
    expect(decideRemoval(removal({ accounts: [passkey] }), two)).toBe("missing");
    expect(decideRemoval(removal({ authenticators: ["c"], credentials: ["p"] }), two)).toBe("missing");
    expect(decideRemoval(removal({ accounts: [google] }), { ...two, user: null })).toBe("missing");
  });
});

describe("tablesOfRemoval()", () => {
  it("names no table that neither loses a record nor counts", () => {
    expect(tablesOfRemoval(removal({ counts: NOTHING, accounts: [github] }))).toEqual({
      ...{ accounts: true, authenticators: false, credentials: false },
    });
    expect(tablesOfRemoval(removal())).toEqual({ accounts: true, authenticators: true, credentials: true });
  });
});
