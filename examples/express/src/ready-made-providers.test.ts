import { readdirSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createMemoryAdapter } from "@cardea/testing";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createApp } from "./app.ts";
import { configuredProviders } from "./ready-made-providers.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Packages that are no provider with an id of its own. */
const OTHERS = ["credentials", "email", "oauth2", "password", "webauthn"].map((name) => `providers-${name}`);

/** What the application lists whatever is set. */
const ALWAYS = ["nodemailer", "credentials", "passkey"];

/** Where the id is not the name of the package. */
const IDS: Readonly<Record<string, string>> = { shortvideo: "tiktok", social: "vk", x: "twitter" };

const OWN_ISSUER = ["auth0", "authentik", "cognito", "fusionauth", "keycloak", "oidc", "okta", "zitadel"];

const ids = readdirSync(new URL("../../../packages", import.meta.url))
  .filter((name) => name.startsWith("providers-") && !OTHERS.includes(name))
  .map((name) => name.replace("providers-", ""))
  .map((name) => IDS[name] ?? name);

/** What a user who has registered with a provider sets. */
function variablesOf(id: string): Record<string, string> {
  const prefix = `AUTH_${id.replaceAll("-", "_").toUpperCase()}`;
  const issuer = OWN_ISSUER.includes(id) ? { [`${prefix}_ISSUER`]: `https://${id}.example.com` } : {};
  return { [`${prefix}_ID`]: "an id", [`${prefix}_SECRET`]: "a secret", ...issuer };
}

/** The ids that the application lists with these variables in its environment. */
async function listWith(variables: Readonly<Record<string, string>>): Promise<string[]> {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const secret = "a secret of more than thirty-two bytes for tests";
  const readyMade = configuredProviders(process.env);
  const app = createApp({ adapter: createMemoryAdapter().adapter, providers: [], readyMade, mailServer: "", secret });
  const server = app.listen(0, "127.0.0.1");
  try {
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://localhost:${port}/auth/providers`);
    return parseIds(await response.json()).filter((id) => !ALWAYS.includes(id));
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function parseIds(providers: unknown): string[] {
  return (providers as readonly { readonly id: string }[]).map(({ id }) => id);
}

describe("configuredProviders()", () => {
  it("is empty in an empty environment", async () => {
    expect(configuredProviders({})).toEqual([]);
    expect(await listWith({})).toEqual([]);
  });

  it.each(ids)("has the application list %s", async (id) => {
    expect(await listWith(variablesOf(id))).toEqual([id]);
  });

  it("has the application list all of them at once", async () => {
    const variables = Object.assign({}, ...ids.map(variablesOf));
    expect((await listWith(variables)).sort()).toEqual([...ids].sort());
  });

  it.each(ids)("leaves out %s when one of its variables is blank", (id) => {
    const variables = variablesOf(id);
    for (const name of Object.keys(variables)) expect(configuredProviders({ ...variables, [name]: " " })).toEqual([]);
  });
});
