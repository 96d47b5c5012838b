import { describe, expect, it } from "vitest";
import { providerOptions } from "./provider-options.ts";

describe("providerOptions()", () => {
  it.each([
    ["tenantId", "issuer"],
    ["tenant_id", "issuer"],
    ["azureTenantName", "issuer"],
    ["authority", "issuer"],
    ["realm", "issuer"],
    ["userPoolId", "issuer"],
    ["baseURL", "issuer"],
    ["domain", "issuer"],
    ["domain", "callbacks.signIn"],
    ["hd", "authorization: { params: { hd } }"],
    ["hostedDomain", "authorization: { params: { hd } }"],
    ["hosted_domains", "callbacks.signIn"],
    ["organization", "authorization: { params }"],
    ["organisationIds", "callbacks.signIn"],
    ["githubOrg", "callbacks.signIn"],
    ["team", "callbacks.signIn"],
    ["guilds", "callbacks.signIn"],
    ["groupIDs", "callbacks.signIn"],
    ["allowedEmails", "callbacks.signIn"],
    ["allowDomains", "callbacks.signIn"],
    ["emailWhitelist", "callbacks.signIn"],
    ["disableSignUp", "callbacks.signIn"],
    ["allow_sign_up", "callbacks.signIn"],
  ])("rejects `%s`, and names %s", (name, instead) => {
    const message = (() => {
      try {
        return providerOptions("Example", { clientId: "a", [name]: "confidential" });
      } catch (error) {
        return String(error);
      }
    })();
    expect(message).toContain(`TypeError: Example() does not read an option that limits who may sign in. \`${name}\` `);
    expect(message).toContain(instead);
    expect(message).not.toContain("confidential");
  });

  it("names every such option", () => {
    expect(() => providerOptions("Example", { hd: "a", team: "b" })).toThrow(/`hd` has .* `team` has/);
  });

  it("returns other options as they are, and those that are read", () => {
    const options = {
      ...{ clientId: "a", clientSecret: "b", issuer: "https://id.example.com", authorization: { params: { hd: "c" } } },
      ...{
        allowDangerousEmailAccountLinking: true,
        redirectProxyUrl: "d",
        checks: ["state"],
        par: "auto",
        version: "2",
      },
      ...{ httpOptions: {}, profilePhotoSize: 48, scope: "e", organization: "f" },
    };
    expect(providerOptions("Example", options, ["organization"])).toBe(options);
  });

  it("accepts an option without a value, as of a variable that is not set", () => {
    expect(() => providerOptions("Example", { tenantId: undefined, hd: null })).not.toThrow();
  });
});
