import { describe, expect, it } from "vitest";
import { TENANT } from "../test/contract.ts";
import { MicrosoftEntraID } from "./index.ts";

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
