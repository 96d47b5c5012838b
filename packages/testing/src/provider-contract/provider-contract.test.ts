import type { OAuth2Provider, OIDCProvider } from "@cardea/core/providers";
import { describe, expect, it } from "vitest";
import type { ProviderExpectations } from "./expectations.ts";
import { providerContract } from "./provider-contract.ts";

interface Person {
  readonly id?: number;
  readonly sub?: string;
  readonly name: string;
}

/** A provider without fault. */
function Sound(options: object = {}): OAuth2Provider<Person> {
  return {
    id: "sound",
    name: "Sound",
    type: "oauth",
    authorization: { url: "https://sound.example/authorize", params: { scope: "user" } },
    token: { url: "https://sound.example/token" },
    userinfo: { url: "https://sound.example/user" },
    profile: ({ id, name }) => ({ ...(id === undefined ? {} : { id }), name, email: null, image: null }),
    style: { bg: "#000000", text: "#ffffff" },
    options,
  };
}

const expectations: ProviderExpectations = {
  provider: Sound,
  id: "sound",
  name: "Sound",
  authorizationUrl: "https://sound.example/authorize?scope=user",
  profile: { id: 1815, name: "Ada" },
  user: { id: "1815", name: "Ada", email: null, image: null },
};

/** Runs the contract with a runner of its own; the names of the tests that fail. */
async function failuresOf(changes: Partial<ProviderExpectations>): Promise<string[]> {
  const tests: [string, () => Promise<void> | void][] = [];
  const runner = {
    describe: (_: string, body: () => void) => body(),
    it: (name: string, body: () => Promise<void> | void) => tests.push([name, body]),
    expect,
  };
  providerContract(runner, { ...expectations, ...changes });
  const failed: string[] = [];
  for (const [name, body] of tests) {
    await Promise.resolve()
      .then(body)
      .catch(() => failed.push(name));
  }
  return failed;
}

describe("providerContract()", () => {
  it("passes a provider without fault", async () => {
    expect(await failuresOf({})).toEqual([]);
  });

  it.each([undefined, "RS256", "ES256"])(
    "passes a client that is registered for ID tokens signed with %s",
    async (alg) => {
      const provider = (options: object): OIDCProvider<Person> => ({
        ...{ id: "sound", name: "Sound", type: "oidc", issuer: "https://sound.example" },
        ...(alg === undefined ? {} : { client: { id_token_signed_response_alg: alg } }),
        profile: ({ sub, name }) => ({ ...(sub === undefined ? {} : { id: sub }), name, email: null, image: null }),
        style: { bg: "#000000", text: "#ffffff" },
        options,
      });
      const authorizationUrl = "https://sound.example/authorize?scope=openid profile email";
      expect(await failuresOf({ provider, authorizationUrl, profile: { sub: "1815", name: "Ada" } })).toEqual([]);
    },
  );

  it.each<[string, Partial<OAuth2Provider<Person>>]>([
    ["has complete defaults", { name: "Sounds" }],
    ["is listed by `providers`", { id: "other" }],
    ["redirects to exactly this authorization URL", { authorization: "https://sound.example/authorize?scope=all" }],
    ["redirects to exactly this authorization URL", { checks: ["state"] }],
    ["signs a user in", { profile: ({ name }) => ({ id: 7, name }) }],
    ["does not report whether the address is verified", { profile: ({ id = 0 }) => ({ id, emailVerified: true }) }],
    [
      "rejects a user without an id",
      { profile: ({ id, name }) => ({ id: String(id), name, email: null, image: null }) },
    ],
    [
      "signs in a user of whom only the id is known",
      { profile: ({ id, name }) => ({ ...(id === undefined ? {} : { id }), name: name.trim(), email: null }) },
    ],
    ["has a readable button", { style: { bg: "#ffffff", text: "#888888" } }],
    ["has a readable button", { style: { bg: "#000000", text: "#ffffff", logo: "https://x.example/x.png" } }],
  ])("%s: fails a provider that does otherwise", async (name, fault) => {
    const provider = (options: object) => ({ ...Sound(options), ...fault });
    expect(await failuresOf({ provider })).toContain(name);
  });

  it("fails a provider that keeps its options to itself", async () => {
    const provider = (options: object) => {
      const { authorization, ...others } = Object(options);
      return Sound({ ...others, ...(authorization === undefined ? {} : {}) });
    };
    expect(await failuresOf({ provider })).toEqual(["merges options over its defaults"]);
  });

  it("fails a provider that appends its paths to a slash", async () => {
    const at = (clean: (baseUrl: string) => string) => {
      const provider = ({ baseUrl = "https://sound.example", ...options }: { baseUrl?: string }) => ({
        ...Sound(options),
        token: `${clean(baseUrl)}/token`,
        userinfo: `${clean(baseUrl)}/user`,
        authorization: { url: `${clean(baseUrl)}/authorize`, params: { scope: "user" } },
      });
      return failuresOf({ provider, selfHosted: (baseUrl) => ({ baseUrl }) });
    };
    expect(await at((baseUrl) => baseUrl.replace(/\/$/, ""))).toEqual([]);
    expect(await at(String)).toEqual(["has its endpoints below a base URL, with or without a slash at its end"]);
  });

  it("fails a provider that takes its client id from the options alone", async () => {
    const provider = (options: object) => Sound({ clientId: "own", ...options });
    expect(await failuresOf({ provider })).toEqual([]);
    const stubborn = (options: object) => Sound({ ...options, clientId: "client-id", clientSecret: "other" });
    expect(await failuresOf({ provider: stubborn })).toContain(
      "takes AUTH_SOUND_ID, _SECRET and, where endpoints are discovered, _ISSUER from the environment",
    );
  });
});
