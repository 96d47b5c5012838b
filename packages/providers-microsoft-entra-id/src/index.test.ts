import { providerContract } from "@cardea/testing";
import { describe, expect, it } from "vitest";
import { MicrosoftEntraID } from "./index.ts";

const TENANT = "3338040d-6c67-4c5b-b112-36a304b66dad";

providerContract(
  { describe, it, expect },
  {
    provider: MicrosoftEntraID,
    id: "microsoft-entra-id",
    name: "Microsoft Entra ID",
    authorizationUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize?scope=openid profile email",
    endpoints: {
      authorize: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
      token: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
      jwks: "https://login.microsoftonline.com/common/discovery/v2.0/keys",
    },
    script: {
      metadata: { set: { issuer: "https://login.microsoftonline.com/{tenantid}/v2.0" } },
      idToken: { claims: { set: { iss: `https://login.microsoftonline.com/${TENANT}/v2.0` } } },
    },
    profile: {
      sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
      oid: "00000000-0000-0000-66f3-3332eca7ea81",
      tid: TENANT,
      name: "Ada Lovelace",
      preferred_username: "ada@example.com",
      email: "ada@example.com",
    },
    user: {
      id: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
      name: "Ada Lovelace",
      email: "ada@example.com",
      image: null,
    },
    emailVerified: false,
  },
);

describe("the issuer of an ID token", () => {
  const { idTokenIssuer } = MicrosoftEntraID();
  const issuerFor = (issuer: string) => idTokenIssuer?.({ tid: TENANT }, issuer);

  it.each(["common", "organizations", "consumers"])("is the tenant's where anybody of %s may sign in", (tenants) => {
    const issuer = `https://login.microsoftonline.com/${tenants}/v2.0`;
    expect(issuerFor(issuer)).toBe(`https://login.microsoftonline.com/${TENANT}/v2.0`);
  });

  it("is the configured one where one tenant is", () => {
    const issuer = "https://login.microsoftonline.com/9122040d-6c67-4c5b-b112-36a304b66dad/v2.0";
    expect(issuerFor(issuer)).toBe(issuer);
  });
});

describe("the claim xms_edov", () => {
  it.each([
    [true, true],
    [1, true],
    ["1", true],
    [false, false],
    [0, false],
    ["0", false],
    [undefined, false],
  ])("%j vouches for the address: %j", async (xms_edov, emailVerified) => {
    const claims = { sub: "1", tid: TENANT, email: "ada@example.com", ...(xms_edov === undefined ? {} : { xms_edov }) };
    expect(await MicrosoftEntraID().profile?.(claims, {})).toMatchObject({ emailVerified });
  });
});
