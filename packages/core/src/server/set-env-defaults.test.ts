import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AuthConfig } from "../model/config.ts";
import type { OIDCProvider } from "../model/oauth-provider.ts";
import { setEnvDefaults } from "./set-env-defaults.ts";

const made = (options: object): OIDCProvider => ({
  ...{ id: "made-by", name: "Made", type: "oidc", issuer: "https://made.example" },
  options,
});

describe("setEnvDefaults()", () => {
  it("fills in what the application left out", () => {
    const given: OIDCProvider = { id: "given", name: "Given", type: "oidc", clientId: "own" };
    const config: AuthConfig = { providers: [made, given] };
    setEnvDefaults(
      {
        ...{ AUTH_URL: "https://app.example.com/accounts/", AUTH_SECRET: "new", AUTH_SECRET_1: "old" },
        ...{ AUTH_MADE_BY_ID: "id", AUTH_MADE_BY_SECRET: "secret", AUTH_GIVEN_ID: "other" },
        ...{ AUTH_GIVEN_ISSUER: "https://given.example", AUTH_REDIRECT_PROXY_URL: "https://proxy.example/auth" },
      },
      config,
    );
    expect(config).toMatchObject({
      basePath: "/accounts",
      secret: ["new", "old"],
      trustHost: true,
      redirectProxyUrl: "https://proxy.example/auth",
      providers: [
        { id: "made-by", options: { clientId: "id", clientSecret: "secret" } },
        { id: "given", clientId: "own", issuer: "https://given.example" },
      ],
    });
    // The object of the application is not changed.
    expect(given.issuer).toBeUndefined();
  });

  it("trusts no host in production without being told to", () => {
    const config: AuthConfig = { providers: [] };
    setEnvDefaults({ NODE_ENV: "production" }, config);
    expect([config.trustHost, config.basePath]).toEqual([undefined, "/auth"]);
    setEnvDefaults({ NODE_ENV: "production", AUTH_TRUST_HOST: "false" }, config);
    expect(config.trustHost).toBe(false);
  });

  it("keeps what the application says, whatever the environment holds", () => {
    const env = fc.dictionary(
      fc.constantFrom(
        "AUTH_URL",
        "AUTH_SECRET",
        "AUTH_TRUST_HOST",
        "AUTH_GIVEN_ID",
        "AUTH_REDIRECT_PROXY_URL",
        "NODE_ENV",
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(env, (variables) => {
        const own = { basePath: "/own", secret: "own", trustHost: false, redirectProxyUrl: "https://own.example" };
        const provider: OIDCProvider = { id: "given", name: "Given", type: "oidc", options: { clientId: "own" } };
        const config: AuthConfig = { ...own, providers: [provider] };
        setEnvDefaults(variables, config);
        expect(config).toEqual({ ...own, providers: [provider] });
      }),
    );
  });
});
