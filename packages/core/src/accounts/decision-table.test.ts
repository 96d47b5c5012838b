import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideLinking, type Facts } from "./decision-table.ts";

const nothing: Facts = {
  proof: "account",
  owner: "none",
  isAsked: false,
  isOpen: false,
  holder: "none",
  isTrusted: false,
  canAsk: false,
  startsFresh: false,
};
const vouched = { canAsk: true } as const;
const fresh = { canAsk: true, startsFresh: true } as const;
const verified = { holder: "verified" } as const;
const unverified = { holder: "unverified" } as const;
const decide = (facts: Partial<Facts>) => decideLinking({ ...nothing, ...facts });

const anyFacts = fc.record({
  proof: fc.constantFrom("account" as const, "passkey" as const, "address" as const, "user" as const),
  owner: fc.constantFrom("known" as const, "another" as const, "none" as const),
  isAsked: fc.boolean(),
  isOpen: fc.boolean(),
  holder: fc.constantFrom("verified" as const, "unverified" as const, "none" as const),
  isTrusted: fc.boolean(),
  canAsk: fc.boolean(),
  startsFresh: fc.boolean(),
});

const isRejected = (outcome: string, { isOpen }: Facts) => outcome === (isOpen ? "ask-whose" : "belongs-to-another");

describe("decideLinking()", () => {
  it("1. H242 H365 rejects what belongs to another user while someone is signed in, whatever else holds", () => {
    fc.assert(fc.property(anyFacts, (facts) => isRejected(decide({ ...facts, owner: "another" }), facts)));
  });

  it("2. signs in the user to whom it belongs, whatever else holds", () => {
    fc.assert(fc.property(anyFacts, (facts) => decide({ ...facts, owner: "known" }) === "sign-in"));
  });

  it("3. never creates a user from credentials", () => {
    const unknown = { proof: "user", owner: "none" } as const;
    fc.assert(fc.property(anyFacts, (facts) => decide({ ...facts, ...unknown }) === "unknown-user"));
  });

  it.each(["account", "passkey"] as const)(
    "4. links a new %s to who is signed in when this session started the sign-in, whatever its address",
    (proof) => {
      for (const holder of ["none", "verified", "unverified"] as const)
        expect(decide({ proof, isAsked: true, holder })).toBe("link");
    },
  );

  it("4. H168 H364 does not link to who signed in since, or elsewhere", () => {
    expect(decide({ isAsked: false, ...verified })).toBe("email-taken");
  });

  it.each(["account", "passkey", "address"] as const)(
    "5. creates a user for an address that no user has, and for an identity without one (%s)",
    (proof) => expect(decide({ proof })).toBe("create"),
  );

  it("6. signs in the user who verified a proven address before", () => {
    expect(decide({ proof: "address", ...vouched, ...verified })).toBe("sign-in");
  });

  it("7. links an account by its address where that is allowed and both sides proved it", () => {
    expect(decide({ isTrusted: true, ...verified })).toBe("link");
    expect(decide({ isTrusted: true, ...vouched, ...verified })).toBe("link");
  });

  it.each(["account", "address"] as const)(
    "8. gives the owner of an address who wants it a new user, in place of one who never verified it (%s)",
    (proof) => expect(decide({ proof, ...fresh, ...unverified })).toBe("start-fresh"),
  );

  it("9. signs in a user who never verified a proven address, if someone takes responsibility for it", () => {
    expect(decide({ proof: "address", isTrusted: true, ...vouched, ...unverified })).toBe("sign-in");
  });

  it("10. H362 H363 asks the owner about every other user who never verified the address", () => {
    expect(decide({ proof: "address", ...vouched, ...unverified })).toBe("ask");
    expect(decide({ ...vouched, ...unverified })).toBe("ask");
    expect(decide({ ...vouched, ...unverified, isTrusted: true })).toBe("ask");
  });

  it.each<[string, Partial<Facts>]>([
    ["H360 linking is not allowed", verified],
    ["its user verified it", { ...fresh, ...verified }],
    ["H361 the provider does not vouch for it", unverified],
    ["the provider says nothing of it, and linking is allowed", { ...unverified, isTrusted: true }],
    ["the provider says nothing of it, and is the authority for it", { ...unverified, startsFresh: true }],
    ["H232 a passkey claims it", { proof: "passkey", ...verified }],
    ["a passkey claims it, of a user who never verified it", { proof: "passkey", ...unverified }],
  ])("11. rejects a taken address when %s", (_reason, facts) => {
    expect(decide(facts)).toBe("email-taken");
  });

  it("4. asks whose an account is that the built-in page began with, unless it is that of the signed-in user", () => {
    expect(decide({ isOpen: true, isAsked: true })).toBe("ask-whose");
    expect(decide({ isOpen: true, owner: "another" })).toBe("ask-whose");
    expect(decide({ isOpen: true, owner: "known" })).toBe("sign-in");
    expect(decide({ isOpen: true })).toBe("create");
  });

  it("never gives anything to a user who is neither its owner, nor started here, nor proved the address", () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const outcome = decideLinking(facts);
        const { proof, owner, isAsked, holder, isTrusted, canAsk, startsFresh } = facts;
        if (outcome === "sign-in") {
          const isProven = proof === "address" && (holder === "verified" || (holder === "unverified" && isTrusted));
          expect(owner === "known" || isProven).toBe(true);
        }
        if (outcome === "link") expect(isAsked || (isTrusted && holder === "verified")).toBe(true);
        if (outcome === "ask" || outcome === "start-fresh")
          expect({ holder, canAsk }).toEqual({ ...unverified, ...vouched });
        if (outcome === "start-fresh") expect(startsFresh).toBe(true);
        if (outcome === "create") expect(holder).toBe("none");
      }),
    );
  });
});
