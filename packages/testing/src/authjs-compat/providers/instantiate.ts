/** The providers of npm's @auth/core that sign in by OAuth, with what they need to do so here. Test-only. */
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import type { OAuthProvider } from "@cardea/core/providers";
import { AUTHJS_FUNCTIONS } from "./functions.ts";

const folder = dirname(createRequire(import.meta.url).resolve("@auth/core/providers/google"));
export const names = readdirSync(folder).flatMap((file) => (file.endsWith(".js") ? [file.slice(0, -3)] : []));

export const CLIENT = { clientId: "client-id", clientSecret: "client-secret" };

/** What an application must pass besides. */
const OPTIONS: Readonly<Record<string, object>> = {
  netsuite: { accountID: "1815", userinfo: "https://1815.restlets.api.netsuite.com/app/site/hosting/restlet.nl" },
};

/** Why there is no sign-in by OAuth to try. */
export const NOT_OAUTH: Readonly<Record<string, string>> = {
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

/** The options of each function are of another type; here they are all the same. */
export function parseFunction(name: string): (options: object) => OAuthProvider {
  return AUTHJS_FUNCTIONS[name] as unknown as (options: object) => OAuthProvider;
}

/** With an issuer only where it needs one, so that its own defaults count. */
export function instantiate(name: string): OAuthProvider {
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
export function profileFor(id: string): Record<string, string> {
  return id === "azure-ad" || id === "microsoft-entra-id" ? { tid: "1815-tenant" } : {};
}

/** Their names. */
export const oauthNames = names.filter((name) => !(name in NOT_OAUTH));
