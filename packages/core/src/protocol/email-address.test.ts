import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../testing/src/arbitrary-text.ts";
import { pairs } from "../../../testing/src/long-form.ts";
import type { EmailClaim } from "../model/identity.ts";
import { decideEmailClaim, isSameAddress, mailboxOf, parseEmailAddress, readEmailFacts } from "./email-address.ts";

const long = (length: number) => "x".repeat(length);

/** Characters without a mark on the screen: fillers, joiners, soft hyphens, selectors, tags, blanks. */
const INVISIBLE = [
  ...["115F", "1160", "3164", "FFA0", "AD", "34F", "61C", "17B4", "17B5", "180B", "180E", "180F", "FEFF", "FFF0"],
  ...["200B", "200C", "200D", "200E", "200F", "202A", "202E", "2060", "2061", "2062", "2063", "2064", "2066", "206F"],
  ...["FE00", "FE0E", "FE0F", "E0100", "E01EF", "E0001", "E0020", "E007F", "1D173", "1BCA0"],
  ...["2800", "1107F", "13441", "13442", "16FE4", "1D159", "13430"],
];

/** Addresses, and text that looks like one in parts. */
const anyAddress = fc.oneof(
  fc.emailAddress(),
  fc.string({ unit: "grapheme" }).map((text) => `${text}@x.io`),
  fc.string({ unit: codePoint }).map((text) => `${text}@x.io`),
  fc.tuple(fc.string({ unit: codePoint }), fc.string({ unit: codePoint })).map(([a, b]) => `${a}@${b}.io`),
  fc.tuple(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" })).map(([a, b]) => `a${a}@b${b}`),
);

describe("parseEmailAddress()", () => {
  it.each([
    ["ann@example.com", "ann@example.com"],
    ["  Ann@Example.COM\n", "ann@example.com"],
    ["first.last+tag@sub.example.co.uk", "first.last+tag@sub.example.co.uk"],
    ["o'neil@example.com", "o'neil@example.com"],
    ["ann..b@carrier.example", "ann..b@carrier.example"],
    ["Ann.@carrier.example", "ann.@carrier.example"],
    [".ann@carrier.example", ".ann@carrier.example"],
    ["a\u2026b@x.io", "a...b@x.io"],
    ["ａｎｎ@example.com", "ann@example.com"],
    ["ann@exаmple.com", "ann@xn--exmple-4nf.com"],
    ["ann@müller.example", "ann@xn--mller-kva.example"],
    ["\u212Aim@x.io", "kim@x.io"],
    ["straße@x.io", "straße@x.io"],
    ["ıd@x.io", "ıd@x.io"],
    ["H\u0331@x.io", "\u1E96@x.io"],
  ])("H196 H198 gives %j its one form", (typed, stored) => {
    expect(parseEmailAddress(typed)).toBe(stored);
  });

  it.each(["a@evil.com＠x.io", "a@evil.com﹫x.io"])("2. H192 sees a look-alike of @ as one: %s", (typed) => {
    expect(parseEmailAddress(typed)).toBeNull();
  });

  it.each([
    '"a@evil.com"@x.io',
    "a@x.io,b@evil.com",
    "a@x.io b@evil.com",
    "<a@x.io>",
    "A <a@x.io>",
    "a@x.io>",
    "a;b@x.io",
    "a@x.io;c@evil",
    "a@x.io?subject=1",
    "a\t@x.io",
    "a\u0000@x.io",
    "a@x.io\r\nBcc: b@evil.com",
    "a:b@x.io",
    "a(b)@x.io",
    ".@x.io",
    "..@x.io",
    "a@",
    "@x.io",
    "a",
    "",
    "a@x..io",
    "a@-x.io",
    "a@x.io/",
    "a@x.io:25",
    "a@[127.0.0.1]",
    "a@127.1",
    "a@x_y.io",
    "a@@x.io",
    "a@0x7f.0x1",
    "a@1.2",
  ])("3. H193 H194 refuses %j", (typed) => {
    expect(parseEmailAddress(typed)).toBeNull();
  });

  it("5. H200 keeps to the lengths of RFC 5321", () => {
    const domain = `${long(63)}.${long(63)}.${long(57)}.io`;
    expect(parseEmailAddress(`${long(64)}@x.io`)).not.toBeNull();
    expect(parseEmailAddress(`${long(65)}@x.io`)).toBeNull();
    expect(`${long(64)}@${domain}`).toHaveLength(253);
    expect(parseEmailAddress(`${long(64)}@${domain}`)).not.toBeNull();
    expect(parseEmailAddress(`${long(64)}@x${domain}`)).toBeNull();
    expect(parseEmailAddress(`${"é".repeat(33)}@x.io`)).toBeNull();
    expect(parseEmailAddress(`${long(5000)}@x.io`)).toBeNull();
  });

  it.each(["ann@localhost", "ann@intranet"])("4. accepts a local domain only where the rules say so: %s", (typed) => {
    expect(parseEmailAddress(typed)).toBeNull();
    expect(parseEmailAddress(typed, { allowLocalDomains: false })).toBeNull();
    expect(parseEmailAddress(typed, { allowLocalDomains: true })).toBe(typed);
    expect(parseEmailAddress(`${typed}.`, { allowLocalDomains: true })).toBeNull();
  });

  it.each(INVISIBLE)("1. refuses U+%s anywhere", (hex) => {
    const invisible = String.fromCodePoint(Number.parseInt(hex, 16));
    const typed = "ann@example.com";
    for (let at = 0; at <= typed.length; at++) {
      const odd = `${typed.slice(0, at)}${invisible}${typed.slice(at)}`;
      expect([at, parseEmailAddress(odd)]).toEqual([at, null]);
    }
  });

  it("1. refuses every default-ignorable character of Unicode on both sides of the @", () => {
    const accepted: string[] = [];
    for (let point = 0; point <= 0x10ffff; point++) {
      const character = String.fromCodePoint(point);
      if (!/\p{Default_Ignorable_Code_Point}/u.test(character)) continue;
      for (const typed of [`a${character}b@x.io`, `ab@x${character}y.io`, `ab@x.io${character}`])
        if (parseEmailAddress(typed) !== null) accepted.push(point.toString(16));
    }
    expect(accepted).toEqual([]);
  });

  it("H198 returns a form that stays as it is when it is read again", () => {
    fc.assert(
      fc.property(anyAddress, fc.boolean(), (typed, allowLocalDomains) => {
        const once = parseEmailAddress(typed, { allowLocalDomains });
        if (once !== null) expect(parseEmailAddress(once, { allowLocalDomains })).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });

  it("is idempotent for letters of ASCII under every combining mark", () => {
    const marks = Array.from({ length: 0x1ffff }, (_, point) => String.fromCodePoint(point)).filter((one) =>
      /\p{M}/u.test(one),
    );
    const changed: string[] = [];
    for (const [letter, mark] of pairs([..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"], marks)) {
      const once = parseEmailAddress(`${letter}${mark}@x.io`);
      if (once !== null && parseEmailAddress(once) !== once) changed.push(`${letter}${mark}`);
    }
    expect(changed).toEqual([]);
  }, 30_000);

  it("gives canonically equivalent and compatible spellings one form", () => {
    fc.assert(
      fc.property(anyAddress, (typed) => {
        const forms = (["NFC", "NFD", "NFKC", "NFKD"] as const).map((form) => parseEmailAddress(typed.normalize(form)));
        expect(new Set(forms.filter((form) => form !== null)).size).toBeLessThanOrEqual(1);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("isSameAddress()", () => {
  it.each([
    ["ann@x.io", "Ann@X.IO"],
    ["ann@x.io", " ann@x.io "],
    ["ann@b\u00fccher.example", "ann@xn--bcher-kva.example"],
    ["\u00e9@x.io", "e\u0301@x.io"],
  ])("%j and %j are one", (one, other) => {
    expect(isSameAddress(one, other)).toBe(true);
  });

  it.each([
    ["ann@x.io", "\u00e4nn@x.io"],
    ["miki@x.io", "m\u0131ki@x.io"],
    ["kim@x.io", "\u212aim@x.io"],
    ["ffi@x.io", "\ufb03@x.io"],
    ["strasse@x.io", "stra\u00dfe@x.io"],
    ["a_b@x.io", "aXb@x.io"],
    ["ann@x.io", "ann@x.io.evil.example"],
    ["ann@x.io", "ann@x.io@evil.example"],
    ["ann@x.io", ""],
  ])("%j and %j are two", (one, other) => {
    expect(isSameAddress(one, other)).toBe(false);
  });

  it("an address is the same as what it was read from, but for letters that are mapped", () => {
    fc.assert(
      fc.property(anyAddress, (text) => {
        const address = parseEmailAddress(text);
        if (address === null) return;
        expect(isSameAddress(address, address)).toBe(true);
        if (/^[\x20-\x7e]*$/.test(text)) expect(isSameAddress(text, address)).toBe(true);
      }),
    );
  });
});

describe("mailboxOf()", () => {
  it.each([
    ["ann@x.io", "ann@x.io"],
    ["ann+news@x.io", "ann@x.io"],
    ["ann+a+b@x.io", "ann@x.io"],
    ["+ann@x.io", "+ann@x.io"],
    ["É+1@x.io", "é@x.io"],
  ])("%s is delivered to %s", (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
  });
});

const VICTIM = "victim@x.io";

/** What a provider's document and `profile()` come to for the address that the user gets. */
function claimFor(
  type: "oauth" | "oidc",
  document: Record<string, unknown>,
  mapped: unknown = undefined,
  address: string | null = VICTIM,
): EmailClaim {
  return decideEmailClaim(readEmailFacts(type, [document]), address, mapped);
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

  it.each<[string, (email_verified: unknown) => Record<string, unknown>]>([
    ["an envelope", (email_verified) => ({ id: 1, data: { email: VICTIM, email_verified } })],
    ["a list", (email_verified) => ({ emails: [{ email: "a@x.io" }, { email: VICTIM, email_verified }] })],
    ["a list of texts", (email_verified) => ({ data: { emails: ["a@x.io", VICTIM], email_verified } })],
    ["another spelling of the address", (email_verified) => ({ data: { mail: " Victim@X.IO", email_verified } })],
    [
      "another place of the same document",
      (email_verified) => ({ email: VICTIM, email_verified: true, data: { email: VICTIM, email_verified } }),
    ],
  ])("lets nothing overrule email_verified: false beside the address: %s", (_, document) => {
    for (const no of [false, "false"]) {
      for (const mapped of [undefined, true, "true", new Date()]) {
        expect(claimFor("oauth", document(no), mapped)).toBe("unverified");
        expect(claimFor("oidc", document(no), mapped)).toBe("unverified");
      }
      const facts = readEmailFacts("oauth", [document(no)], { address: VICTIM });
      expect(decideEmailClaim(facts, VICTIM, true)).toBe("unverified");
    }
    expect(claimFor("oauth", document(true), true)).toBe("verified");
  });

  it("lets no document overrule email_verified: false of another one about the same address", () => {
    const said = { email: VICTIM, email_verified: true };
    const decide = (other: Record<string, unknown>) =>
      decideEmailClaim(readEmailFacts("oidc", [said, other]), VICTIM, true);
    expect(decide({ email: "Victim@x.io", email_verified: false })).toBe("unverified");
    expect(decide({ data: { email: VICTIM, email_verified: "false" } })).toBe("unverified");
    expect(decide({ email: "a@x.io", email_verified: false })).toBe("verified");
    expect(decide({ email: VICTIM })).toBe("verified");
  });

  it.each<[Record<string, unknown>]>([
    [{ data: { email: VICTIM }, other: { email: "a@x.io", email_verified: false } }],
    [{ emails: [{ email: VICTIM }, { email: "a@x.io", email_verified: false }] }],
    [{ data: { email: VICTIM, email_verified: null } }],
  ])("takes a denial of another address, and null, for none of this one: %j", (document) => {
    expect(claimFor("oauth", document, true)).toBe("verified");
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
      decideEmailClaim(readEmailFacts("oidc", [{ email: VICTIM }], { address: vouched }), address, mapped);
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
