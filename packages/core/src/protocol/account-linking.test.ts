import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideEmailLinking, decideOAuthLinking, type OAuthLinkingFacts } from "./account-linking.ts";

const owner = { id: "owner", emailVerified: false };
const holder = { id: "holder", emailVerified: true };
const unproven = { id: "holder", emailVerified: false };
const here = (userId: string) => ({ userId, startedHere: true });
const elsewhere = (userId: string) => ({ userId, startedHere: false });

const nothing: OAuthLinkingFacts = {
  owner: null,
  signedIn: null,
  sameEmail: null,
  linkByEmail: false,
  emailClaim: "verified",
  canAsk: true,
  startsFresh: false,
  ownsAddress: false,
};
const fresh = { startsFresh: true, ownsAddress: true };
const decide = (facts: Partial<OAuthLinkingFacts>) => decideOAuthLinking({ ...nothing, ...facts });

describe("decideOAuthLinking()", () => {
  it.each([here("other"), elsewhere("other")])(
    "1. H242 H365 refuses another user's account while another user is signed in",
    (signedIn) => {
      expect(decide({ owner, signedIn })).toEqual({ kind: "refuse", reason: "belongs-to-another" });
    },
  );

  it.each([null, here("owner"), elsewhere("owner")])("2. signs in the owner of the account", (signedIn) => {
    expect(decide({ owner, signedIn })).toEqual({ kind: "sign-in", userId: "owner" });
  });

  it("3. links to who is signed in when this session began the sign-in, whatever the address", () => {
    expect(decide({ signedIn: here("me") })).toEqual({ kind: "link", userId: "me" });
    expect(decide({ signedIn: here("me"), sameEmail: holder })).toEqual({ kind: "link", userId: "me" });
  });

  it("3. H168 H364 does not link to who signed in since, or elsewhere", () => {
    expect(decide({ signedIn: elsewhere("me") })).toEqual({ kind: "create" });
    expect(decide({ signedIn: elsewhere("holder"), sameEmail: holder })).toEqual({
      kind: "refuse",
      reason: "email-taken",
    });
  });

  it("4. makes a user for an address that is no one's, and for an identity without one", () => {
    expect(decide({})).toEqual({ kind: "create" });
    expect(decide({ linkByEmail: true, emailClaim: "unverified" })).toEqual({ kind: "create" });
  });

  it.each(["verified", "none"] as const)(
    "5. links by e-mail where that is allowed and both sides proved it (%s)",
    (emailClaim) => {
      const decision = decide({ sameEmail: holder, linkByEmail: true, emailClaim });
      expect(decision).toEqual({ kind: "link", userId: "holder" });
    },
  );

  it.each([
    ["H362 even where linking by e-mail is allowed", { linkByEmail: true }],
    ["where it is not", {}],
    ["if they want a new user, of a provider that is not the authority for the address", { startsFresh: true }],
    ["if they have not decided, of a provider that is", { ownsAddress: true }],
    ["while someone is signed in who did not start it", { signedIn: elsewhere("other") }],
  ] as const)("6. asks the owner about a user who never proved the address, %s", (_reason, facts) => {
    expect(decide({ sameEmail: unproven, ...facts })).toEqual({ kind: "ask", userId: "holder" });
  });

  it("6. lets the owner start fresh where the provider is the authority for the address", () => {
    expect(decide({ sameEmail: unproven, ...fresh })).toEqual({ kind: "start-fresh", userId: "holder" });
  });

  it.each([
    ["H360 it is not allowed", { sameEmail: holder }],
    [
      "H361 the provider says that it is not verified",
      { sameEmail: holder, linkByEmail: true, emailClaim: "unverified" },
    ],
    ["the provider says that it is not verified", { sameEmail: unproven, emailClaim: "unverified" }],
    ["the provider says nothing of it", { sameEmail: unproven, emailClaim: "none", linkByEmail: true }],
    ["the provider is the authority for it, and says nothing", { sameEmail: unproven, emailClaim: "none", ...fresh }],
    ["its user proved it", { sameEmail: holder, ...fresh }],
    ["the owner cannot be asked", { sameEmail: unproven, canAsk: false, ...fresh }],
  ] as const)("7. refuses a taken address when %s", (_reason, facts) => {
    expect(decide(facts)).toEqual({ kind: "refuse", reason: "email-taken" });
  });

  it("never gives an account to a user who is neither its owner, nor began here, nor proved the address", () => {
    const user = fc.option(fc.record({ id: fc.constantFrom("a", "b", "c"), emailVerified: fc.boolean() }));
    const facts = fc.record({
      owner: user,
      signedIn: fc.option(fc.record({ userId: fc.constantFrom("a", "b", "c"), startedHere: fc.boolean() })),
      sameEmail: user,
      linkByEmail: fc.boolean(),
      emailClaim: fc.constantFrom("verified" as const, "unverified" as const, "none" as const),
      canAsk: fc.boolean(),
      startsFresh: fc.boolean(),
      ownsAddress: fc.boolean(),
    });
    fc.assert(
      fc.property(facts, (known) => {
        const decision = decideOAuthLinking(known);
        if (decision.kind === "sign-in") expect(decision.userId).toBe(known.owner?.id);
        if (decision.kind === "ask" || decision.kind === "start-fresh") {
          expect(known).toMatchObject({ owner: null, canAsk: true, emailClaim: "verified" });
          expect(known.sameEmail?.emailVerified).toBe(false);
        }
        if (decision.kind === "start-fresh") expect(known).toMatchObject({ startsFresh: true, ownsAddress: true });
        if (decision.kind !== "link") return;
        const began = known.signedIn?.startedHere === true && known.signedIn.userId === decision.userId;
        const proved =
          known.linkByEmail && known.sameEmail?.emailVerified === true && known.sameEmail.id === decision.userId;
        expect(began || proved).toBe(true);
      }),
    );
  });
});

describe("decideEmailLinking()", () => {
  const open = { linkByEmail: false, isVouchedFor: false, isOnlyWayIn: false };

  it("1. creates a user for an address that no user has", () => {
    expect(decideEmailLinking({ ...open, sameEmail: null })).toEqual({ kind: "create" });
  });

  it.each([
    ["whose address was proven before", { sameEmail: holder }],
    ["whom the application vouches for", { sameEmail: unproven, isVouchedFor: true }],
    ["to whom nothing else can lead", { sameEmail: unproven, isOnlyWayIn: true }],
    ["where linking by e-mail is allowed", { sameEmail: unproven, linkByEmail: true }],
  ])("2. signs in a user %s", (_reason, facts) => {
    expect(decideEmailLinking({ ...open, ...facts })).toEqual({ kind: "sign-in", userId: "holder" });
  });

  it("3. H363 asks the owner about every other user whose address was never proven", () => {
    expect(decideEmailLinking({ ...open, sameEmail: unproven })).toEqual({ kind: "ask", userId: "holder" });
  });
});
