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
  const issuerFor = (issuer: string, tid: unknown = TENANT, key?: Record<string, unknown>) =>
    idTokenIssuer?.({ tid }, issuer, key);
  const issuerOf = (tenant: string) => `https://login.microsoftonline.com/${tenant}/v2.0`;
  const CONSUMERS = "9188040d-6c67-4c5b-b112-36a304b66dad";

  it.each([
    ["common", TENANT],
    ["common", CONSUMERS],
    ["organizations", TENANT],
    ["consumers", CONSUMERS],
  ])("is the tenant's: %s covers %s", (tenants, tid) => {
    expect(issuerFor(issuerOf(tenants), tid)).toBe(issuerOf(tid));
  });

  it.each([
    ["organizations", CONSUMERS],
    ["consumers", TENANT],
    ["common", undefined],
  ])("is one that no token contains: %s does not cover %s", (tenants, tid) => {
    const claims = tid === undefined ? {} : { tid };
    expect(idTokenIssuer?.(claims, issuerOf(tenants))).toBe(issuerOf(tenants));
  });

  it("is that of the key, if it names one", () => {
    const by = (issuer: string) => issuerFor(issuerOf("common"), TENANT, { issuer });
    expect(by(issuerOf("{tenantid}"))).toBe(issuerOf(TENANT));
    expect(by(issuerOf(CONSUMERS))).toBe(issuerOf(CONSUMERS));
    expect(issuerFor(issuerOf("common"), TENANT, { kid: "1" })).toBe(issuerOf(TENANT));
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
