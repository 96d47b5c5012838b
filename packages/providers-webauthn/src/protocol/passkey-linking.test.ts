import { describe, expect, it } from "vitest";
import { decidePasskeyLinking } from "./passkey-linking.ts";

describe("decidePasskeyLinking()", () => {
  const ann = { id: "ann" };

  it("contract 6.3 signs the owner in, unless another user is signed in", () => {
    const ceremony = "authenticate";
    expect(decidePasskeyLinking({ ceremony, owner: ann, signedIn: null })).toEqual({ kind: "sign-in", userId: "ann" });
    const again = decidePasskeyLinking({ ceremony, owner: ann, signedIn: { userId: "ann" } });
    expect(again).toEqual({ kind: "sign-in", userId: "ann" });
    const other = decidePasskeyLinking({ ceremony, owner: ann, signedIn: { userId: "bob" } });
    expect(other).toEqual({ kind: "refuse", reason: "belongs-to-another" });
  });

  it("H232 adds to who is signed in, makes a user of a free address, and refuses a taken one", () => {
    const ceremony = "register";
    const added = decidePasskeyLinking({ ceremony, signedIn: { userId: "ann" }, sameEmail: { id: "bob" } });
    expect(added).toEqual({ kind: "link", userId: "ann" });
    expect(decidePasskeyLinking({ ceremony, signedIn: null, sameEmail: null })).toEqual({ kind: "create" });
    const taken = decidePasskeyLinking({ ceremony, signedIn: null, sameEmail: ann });
    expect(taken).toEqual({ kind: "refuse", reason: "email-taken" });
  });
});
