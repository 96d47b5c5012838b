import { describe, expect, it } from "vitest";
import {
  checkIdToken,
  ID_TOKEN_CLOCK_TOLERANCE,
  ID_TOKEN_EXPIRY_TOLERANCE,
  ID_TOKEN_MAX_AGE,
  type IdTokenFacts,
} from "./id-token.ts";

const NOW = 1_800_000_000;

function judge(claims: Record<string, unknown>, changes: Partial<IdTokenFacts> = {}): string | null {
  return checkIdToken({
    header: { alg: "RS256", typ: "JWT" },
    claims: { iss: "https://op.example.com", sub: "1815", aud: "cid", iat: NOW, exp: NOW + 300, ...claims },
    clientId: "cid",
    audiences: [],
    accessTokenHash: "hash",
    authenticatedSince: undefined,
    now: NOW,
    ...changes,
  });
}

describe("checkIdToken()", () => {
  it("finds none in an honest ID token, with and without `typ`", () => {
    expect(judge({})).toBeNull();
    expect(judge({}, { header: { alg: "RS256" } })).toBeNull();
    expect(judge({ azp: "cid", at_hash: "hash", nonce: "n" })).toBeNull();
  });

  it.each([
    "logout+jwt",
    "at+jwt",
    "application/at+jwt",
    "AT+JWT",
    "secevent+jwt",
    "dpop+jwt",
    "token-introspection+jwt",
    "",
    "x",
    7,
    null,
  ])("rule 1: refuses a JWT of type %s", (typ) => {
    expect(judge({}, { header: { alg: "RS256", typ } })).toBe("it is not an ID token");
  });

  it.each([undefined, "JWT", "jwt", "application/jwt", "id_token+jwt"])("rule 1: takes the type %s", (typ) => {
    expect(judge({}, { header: { alg: "RS256", typ } })).toBeNull();
  });

  it("rule 1: refuses a token with events, which is a logout or security event token", () => {
    expect(judge({ events: {} })).toBe("it is not an ID token");
  });

  it.each([undefined, "", 7, {}, null, ["1815"]])("rule 2: refuses the subject %o", (sub) => {
    expect(judge({ sub })).toContain("`sub`");
  });

  it.each([undefined, null, "", "cid1", [], ["other"], [["cid"]], { 0: "cid" }, ["cid", 7], ["cid", null]])(
    "rule 3: refuses the audience %o, with and without an authorized party",
    (aud) => {
      for (const azp of [{}, { azp: "cid" }]) {
        expect(judge({ aud, ...azp })).toContain("`aud`");
        expect(judge({ aud, ...azp }, { audiences: ["other", "cid1", ""] })).toContain("`aud`");
      }
    },
  );

  it("rule 3: takes this client alone, in a list too", () => {
    expect(judge({ aud: ["cid"] })).toBeNull();
    expect(judge({ aud: ["cid", "cid"] })).toBeNull();
  });

  it.each(["other", "", null, ["cid"]])("rule 4: refuses the authorized party %o", (azp) => {
    expect(judge({ azp })).toContain("`azp`");
    expect(judge({ aud: ["cid", "other"], azp }, { audiences: ["other"] })).toContain("`azp`");
  });

  it("rule 4: takes further audiences of a token that was issued to this client", () => {
    expect(judge({ aud: ["cid", "other"], azp: "cid" })).toBeNull();
    expect(judge({ aud: ["project", "api", "cid"], azp: "cid" })).toBeNull();
  });

  it("rule 4: takes, without an authorized party, only the further audiences of the configuration", () => {
    expect(judge({ aud: ["cid", "other"] })).toContain("`audiences`");
    expect(judge({ aud: ["cid", "other"] }, { audiences: ["other"] })).toBeNull();
    expect(judge({ aud: ["cid", "other", "third"] }, { audiences: ["other"] })).toContain("`audiences`");
    expect(judge({ aud: ["cid", "Other"] }, { audiences: ["other"] })).toContain("`audiences`");
  });

  it.each([undefined, null, "1800000000", {}])("rule 5: refuses the end %o", (exp) => {
    expect(judge({ exp })).toMatch(/^it (?:expired|has no `exp`)/);
  });

  it("rule 5: takes a token until half a minute after its end, and no second longer", () => {
    expect(judge({ exp: NOW - ID_TOKEN_EXPIRY_TOLERANCE + 1 })).toBeNull();
    expect(judge({ exp: NOW - ID_TOKEN_EXPIRY_TOLERANCE })).toMatch(/^it expired 30 s ago by this server/);
    expect(judge({ exp: NOW - ID_TOKEN_EXPIRY_TOLERANCE - 1 })).toMatch(/^it expired 31 s ago/);
  });

  it.each([undefined, null, "1800000000", {}])("rule 6: refuses the issue time %o", (iat) => {
    expect(judge({ iat })).toContain("`iat`");
  });

  it("rule 6: lets the provider's clock be a minute ahead, and no second more", () => {
    expect(judge({ iat: NOW + ID_TOKEN_CLOCK_TOLERANCE - 1 })).toBeNull();
    expect(judge({ iat: NOW + ID_TOKEN_CLOCK_TOLERANCE })).toBeNull();
    expect(judge({ iat: NOW + ID_TOKEN_CLOCK_TOLERANCE + 1 })).toContain("future");
  });

  it("rule 6: takes a token of eight minutes, and none older", () => {
    expect(judge({ iat: NOW - ID_TOKEN_MAX_AGE + 1 })).toBeNull();
    expect(judge({ iat: NOW - ID_TOKEN_MAX_AGE })).toBeNull();
    expect(judge({ iat: NOW - ID_TOKEN_MAX_AGE - 1 })).toContain("past");
    expect(judge({ iat: NOW - 3605 })).toBe(
      "`iat` is 3605 s in the past by this server's clock: the provider's clock is behind, or this server's is ahead; synchronize them (NTP)",
    );
    expect(judge({ iat: NOW + 3605 })).toMatch(/3605 s in the future .* is ahead, or this server's is behind/);
  });

  it.each([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])("rule 6: refuses the number %s", (iat) => {
    expect(judge({ iat })).toContain("`iat`");
  });

  it("rule 7: wants to know when the person proved themselves only where `max_age` was asked for", () => {
    expect(judge({ auth_time: 1 })).toBeNull();
    for (const auth_time of [undefined, null, String(NOW), {}]) {
      expect(judge({ auth_time }, { authenticatedSince: NOW })).toContain("`auth_time`");
    }
  });

  it("rule 7: lets the provider's clock be a minute behind, and no second more", () => {
    const since = { authenticatedSince: NOW - 100 };
    const edge = NOW - 100 - ID_TOKEN_CLOCK_TOLERANCE;
    expect(judge({ auth_time: edge + 1 }, since)).toBeNull();
    expect(judge({ auth_time: edge }, since)).toBeNull();
    expect(judge({ auth_time: edge - 1 }, since)).toContain("`auth_time`");
    expect(judge({ auth_time: NOW + ID_TOKEN_CLOCK_TOLERANCE }, since)).toBeNull();
    expect(judge({ auth_time: NOW + ID_TOKEN_CLOCK_TOLERANCE + 1 }, since)).toContain("`auth_time`");
  });

  it.each(["other", "", null, 7])("rule 8: refuses the access token hash %o", (at_hash) => {
    expect(judge({ at_hash })).toContain("`at_hash`");
  });

  it("rule 8: does not demand a hash", () => {
    expect(judge({}, { accessTokenHash: undefined })).toBeNull();
  });
});
