// Provider objects of @auth/core, as they come from npm: every one that signs in by OAuth signs in here, unmodified.
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type { OAuthProvider, Provider } from "@cardea/core/providers";
import { describe, expect, expectTypeOf, it } from "vitest";
import { AUTHJS_FUNCTIONS, type AuthjsObject } from "./providers/functions.ts";
import { PROFILES, STANDARD_PROFILE } from "./providers/profiles.ts";
import { signInWith } from "./providers/sign-in.ts";

const folder = dirname(createRequire(import.meta.url).resolve("@auth/core/providers/google"));
const names = readdirSync(folder).flatMap((file) => (file.endsWith(".js") ? [file.slice(0, -3)] : []));

const CLIENT = { clientId: "client-id", clientSecret: "client-secret" };

/** What an application must pass besides. */
const OPTIONS: Readonly<Record<string, object>> = {
  netsuite: { accountID: "1815", userinfo: "https://1815.restlets.api.netsuite.com/app/site/hosting/restlet.nl" },
};

/** Why there is no sign-in by OAuth to try. */
const NOT_OAUTH: Readonly<Record<string, string>> = {
  index: "holds types",
  oauth: "holds types",
  "provider-types": "holds types",
  credentials: "asks the application",
  email: "sends a mail; needs nodemailer",
  nodemailer: "sends a mail; needs nodemailer",
  forwardemail: "sends a mail",
  loops: "sends a mail",
  mailgun: "sends a mail",
  postmark: "sends a mail",
  resend: "sends a mail",
  sendgrid: "sends a mail",
  passkey: "asks an authenticator; needs @simplewebauthn/server",
  webauthn: "asks an authenticator; needs @simplewebauthn/server",
};

/** What of the network no test can stand in for, so that a sign-in here says less than it seems to. */
const DOUBTS: Readonly<Record<string, string>> = {
  bungie:
    "its userinfo URL has a placeholder that nothing fills in, there or here, and the API wants a key in a header",
  medium: "no longer gives out client ids",
  osso: "joins its URLs without a slash: works with an issuer that ends with one",
  workos: "joins its URLs without a slash: works with an issuer that ends with one",
};

/** The options of each function are of another type; here they are all the same. */
function parseFunction(name: string): (options: object) => OAuthProvider {
  return AUTHJS_FUNCTIONS[name] as unknown as (options: object) => OAuthProvider;
}

/** With an issuer only where it needs one, so that its own defaults count. */
function instantiate(name: string): OAuthProvider {
  const make = parseFunction(name);
  const options = { ...CLIENT, ...OPTIONS[name] };
  const issuer = name === "osso" || name === "workos" ? "https://id.example.com/" : "https://id.example.com";
  try {
    const provider = make(options);
    const isComplete = provider.type === "oauth" || provider.issuer !== undefined || Object(provider.options).issuer;
    if (isComplete && !JSON.stringify(provider).includes("undefined")) return provider;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return make({ ...options, issuer });
}

/** Microsoft's tokens name the tenant, its metadata all of them. */
function profileFor(id: string): Record<string, string> {
  return id === "azure-ad" || id === "microsoft-entra-id" ? { tid: "1815-tenant" } : {};
}

const oauthNames = names.filter((name) => !(name in NOT_OAUTH));

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
