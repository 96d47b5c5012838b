// Provider objects of @auth/core, as they come from npm: every one that signs in by OAuth signs in here, unmodified.
import type { OAuthProvider, Provider } from "@cardea/core/providers";
import { describe, expect, expectTypeOf, it } from "vitest";
import { AUTHJS_FUNCTIONS, type AuthjsObject } from "./providers/functions.ts";
import {
  CLIENT,
  instantiate,
  NOT_OAUTH,
  names,
  oauthNames,
  parseFunction,
  profileFor,
} from "./providers/instantiate.ts";
import { PROFILES, STANDARD_PROFILE } from "./providers/profiles.ts";
import { signInWith } from "./providers/sign-in.ts";

/** What of the network no test can stand in for, so that a sign-in here says less than it seems to. */
const DOUBTS: Readonly<Record<string, string>> = {
  bungie:
    "its userinfo URL has a placeholder that nothing fills in, there or here, and the API wants a key in a header",
  medium: "no longer gives out client ids",
  osso: "joins its URLs without a slash: works with an issuer that ends with one",
  workos: "joins its URLs without a slash: works with an issuer that ends with one",
};

describe("providers of @auth/core", () => {
  it.each(oauthNames)("%s signs in", async (name) => {
    const provider = instantiate(name);
    const described: OAuthProvider = { ...provider, ...Object(provider.options) };
    const profile = { ...(PROFILES[provider.id] ?? STANDARD_PROFILE), ...profileFor(provider.id) };
    const { account, errors } = await signInWith(provider, described, profile);
    expect(errors).toEqual([]);
    expect(account).toMatchObject({ provider: provider.id, providerAccountId: "1815", type: provider.type });
  });

  it("are of a type that `providers` accepts, as functions and as objects", () => {
    expectTypeOf(AUTHJS_FUNCTIONS).toExtend<Readonly<Record<string, Provider>>>();
    expectTypeOf<AuthjsObject>().toExtend<Provider>();
  });

  it("are all there", () => {
    expect(Object.keys(AUTHJS_FUNCTIONS).sort()).toEqual([...oauthNames].sort());
    expect(Object.keys(NOT_OAUTH).filter((name) => !names.includes(name))).toEqual([]);
    expect(Object.keys(DOUBTS).filter((name) => !oauthNames.includes(name))).toEqual([]);
  });

  it.each(["google", "github", "microsoft-entra-id"])("%s signs in as the function itself", async (name) => {
    const make = parseFunction(name);
    const variable = `AUTH_${name.replaceAll("-", "_").toUpperCase()}`;
    process.env[`${variable}_ID`] = CLIENT.clientId;
    process.env[`${variable}_SECRET`] = CLIENT.clientSecret;
    try {
      const described: OAuthProvider = { ...make({}), ...Object(make({}).options) };
      const profile = { ...(PROFILES[described.id] ?? STANDARD_PROFILE), ...profileFor(described.id) };
      const { account, errors } = await signInWith(AUTHJS_FUNCTIONS[name] ?? make, described, profile);
      expect(errors).toEqual([]);
      expect(account).toMatchObject({ providerAccountId: "1815" });
    } finally {
      delete process.env[`${variable}_ID`];
      delete process.env[`${variable}_SECRET`];
    }
  });
});
