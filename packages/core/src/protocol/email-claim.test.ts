import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideEmailClaim, type EmailClaim, readEmailFacts } from "./email-claim.ts";

const VICTIM = "victim@x.io";

/** What a provider's document and `profile()` come to for the address that the user gets. */
function claimFor(
  type: "oauth" | "oidc",
  document: Record<string, unknown>,
  mapped: unknown = undefined,
  address: string | null = VICTIM,
): EmailClaim {
  return decideEmailClaim(readEmailFacts(type, document), address, mapped);
}

describe("decideEmailClaim()", () => {
  it.each<["oauth" | "oidc", Record<string, unknown>, unknown, EmailClaim]>([
    ["oidc", { email: VICTIM, email_verified: true }, undefined, "verified"],
    ["oauth", { email: "Victim@X.io ", email_verified: "true" }, undefined, "verified"],
    ["oidc", { email: VICTIM, email_verified: true }, true, "verified"],
    ["oidc", { email: VICTIM, email_verified: true }, false, "unverified"],
    ["oidc", { email: VICTIM, email_verified: true }, null, "unverified"],
    ["oidc", { email: VICTIM, email_verified: true }, new Date(), "verified"],
    ["oidc", { email: VICTIM, email_verified: false }, true, "unverified"],
    ["oidc", { email: VICTIM, email_verified: false }, new Date(), "unverified"],
    ["oauth", { email: VICTIM, email_verified: false }, true, "unverified"],
    ["oauth", { email: VICTIM, email_verified: null }, true, "unverified"],
    ["oidc", { email: VICTIM }, undefined, "unverified"],
    ["oidc", { email: VICTIM }, true, "unverified"],
    ["oidc", { email: VICTIM }, new Date(), "unverified"],
    ["oauth", { email: VICTIM }, undefined, "none"],
    ["oauth", { email: VICTIM }, new Date(), "none"],
    ["oauth", { email: VICTIM }, true, "verified"],
    ["oauth", { account: { mail: VICTIM } }, true, "verified"],
    ["oauth", { login: "victim" }, true, "unverified"],
    ["oauth", { email: "mallory@evil.io" }, true, "unverified"],
  ])("%s, %j, profile() says %s: %s", (type, document, mapped, expected) => {
    expect(claimFor(type, document, mapped)).toBe(expected);
  });

  const DENIALS = [false, "false", 0, "0", null];

  it.each<[string, (no: unknown) => Record<string, unknown>]>([
    ["Discord", (verified) => ({ id: "1", email: VICTIM, verified })],
    ["Kakao", (is_email_verified) => ({ id: 1, kakao_account: { email: VICTIM, is_email_verified } })],
    ["Patreon", (is_email_verified) => ({ data: { id: "1", attributes: { email: VICTIM, is_email_verified } } })],
    [
      "Eventbrite",
      (verified) => ({
        emails: [
          { email: "a@x.io", verified: true },
          { email: VICTIM, verified },
        ],
      }),
    ],
    ["a list", (emailVerified) => ({ emails: [VICTIM], emailVerified })],
    ["another name", (verified_email) => ({ email: VICTIM, verified_email })],
    ["another spelling of the address", (has_verified_email) => ({ email: "ｖictim@X.io", has_verified_email })],
  ])("takes the claim of OAuth 2 under another name for a denial: %s", (_, document) => {
    for (const no of DENIALS) {
      expect(claimFor("oauth", document(no))).toBe("unverified");
      expect(claimFor("oauth", document(no), new Date())).toBe("unverified");
    }
    // Only `profile()` knows that it concerns the address.
    for (const yes of [true, 1, "true"]) expect(claimFor("oauth", document(yes))).toBe("none");
  });

  it("lets profile() say what such a claim is about", () => {
    expect(claimFor("oauth", { email: VICTIM, verified: false }, true)).toBe("verified");
    expect(claimFor("oauth", { email: VICTIM, verified: true }, false)).toBe("unverified");
  });

  it.each<[Record<string, unknown>]>([
    [{ email: VICTIM, phone_verified: false, verified_at: null, identity_verified: false, unverified: false }],
    [{ email: VICTIM, team: { verified: false, contact: "team@x.io" } }],
    [{ verified: false, user: { email: VICTIM } }],
    [{ email: VICTIM, other: [{ email: "a@x.io", verified: false }] }],
  ])("takes no other member for a denial: %j", (document) => {
    expect(claimFor("oauth", document)).toBe("none");
  });

  it.each(["1", 1, "TRUE", "yes", [true], {}, "verified", new Date(), "2026-01-01", 0, "", "false"])(
    "takes the claim %o for no proof",
    (email_verified) => {
      expect(claimFor("oidc", { email: VICTIM, email_verified })).toBe("unverified");
      expect(claimFor("oauth", { email: VICTIM, email_verified }, true)).toBe("unverified");
    },
  );

  it.each([
    "mallory@evil.io",
    "victim+x@x.io",
    "v.ictim@x.io",
    "VİCTIM@x.io",
    "vıctim@x.io",
    "ｖictim@x.io",
    "",
    null,
    [VICTIM],
  ])("does not take the claim about %o for one about victim@x.io", (email) => {
    const document = { email, email_verified: true, preferred_username: VICTIM, upn: VICTIM };
    for (const mapped of [undefined, true, "true", new Date()]) {
      expect(claimFor("oidc", document, mapped)).toBe("unverified");
      expect(claimFor("oauth", document, mapped)).toBe("unverified");
    }
  });

  it("does not read a claim from a prototype", () => {
    const document = Object.assign(Object.create({ email_verified: true }), { email: VICTIM });
    expect(claimFor("oidc", document)).toBe("unverified");
  });

  it("says nothing of a user without an address", () => {
    expect(claimFor("oidc", { email: VICTIM, email_verified: true }, true, null)).toBe("unverified");
  });

  it("takes the provider's own word where the provider object reads it, for that address", () => {
    const decide = (vouched: unknown, address: string, mapped?: unknown) =>
      decideEmailClaim(readEmailFacts("oidc", { email: VICTIM }, { address: vouched }), address, mapped);
    expect(decide(VICTIM, VICTIM)).toBe("verified");
    expect(decide(VICTIM, VICTIM, false)).toBe("unverified");
    expect(decide(VICTIM, "other@x.io", true)).toBe("unverified");
    for (const vouched of [undefined, null, true, 1, [VICTIM]])
      expect(decide(vouched, VICTIM, true)).toBe("unverified");
  });

  it("is verified only where the document vouches for that very address, and never against it", () => {
    const address = fc.constantFrom(VICTIM, "Victim@x.io", "mallory@evil.io", "ｖictim@x.io", "", null);
    const claim = fc.constantFrom(true, "true", false, "false", 1, null, undefined, new Date());
    const document = fc.record(
      { email: address, email_verified: claim, preferred_username: address },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.constantFrom("oauth", "oidc"), document, claim, (type, said, mapped) => {
        const decided = claimFor(type, said, mapped);
        const isSaid = "email_verified" in said && said.email_verified !== undefined;
        const vouches =
          (said.email_verified === true || said.email_verified === "true") && said.email?.toLowerCase() === VICTIM;
        if (decided !== "verified") return;
        expect(mapped === false || mapped === null).toBe(false);
        if (isSaid || type === "oidc") expect(vouches).toBe(true);
        else expect([mapped === true || mapped === "true", Object.values(said).length > 0]).toEqual([true, true]);
      }),
    );
  });
});
