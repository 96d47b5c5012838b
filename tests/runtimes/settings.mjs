// What the application is told, on every runtime the same: nothing here asks which one it is.
import { decode, encode } from "@cardea/core/jwt";
import { Credentials } from "@cardea/providers-credentials";
import { Passkey } from "@cardea/providers-webauthn";
import { createAdapter } from "./adapter.mjs";

/** The application's configuration from the values that the runtime's own environment has. */
export function createConfig({ AUTH_SECRET, OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET }) {
  return {
    secret: AUTH_SECRET,
    // A proxy in front says which host it answers for.
    trustHost: true,
    providers: [
      {
        id: "local",
        name: "Local",
        type: "oidc",
        issuer: OIDC_ISSUER,
        clientId: OIDC_CLIENT_ID,
        clientSecret: OIDC_CLIENT_SECRET,
      },
      Credentials({
        credentials: { username: { label: "User name" }, password: { label: "Password", type: "password" } },
        authorize: ({ username, password }) => (password === "nanosecond" ? { id: "7", name: String(username) } : null),
      }),
    ],
    callbacks: {
      authorized: ({ auth }) => auth !== null,
      jwt: ({ token, trigger, session }) =>
        trigger === "update" && typeof session?.name === "string" ? { ...token, name: session.name } : token,
    },
  };
}

/** A second configuration, with passkeys and with sessions in a database. */
export function createKeysConfig({ AUTH_SECRET }) {
  return {
    secret: AUTH_SECRET,
    trustHost: true,
    basePath: "/keys",
    adapter: createAdapter(),
    experimental: { enableWebAuthn: true },
    providers: [Passkey({ relayingParty: { id: "app.example.com", name: "App", origin: "https://app.example.com" } })],
  };
}

/** Seals the claims it is given, or opens the token. */
export async function turnToken({ claims, token }, { AUTH_SECRET }) {
  const shared = { secret: AUTH_SECRET, salt: "runtimes" };
  if (claims !== undefined) return { token: await encode({ ...shared, token: claims }) };
  return { claims: await decode({ ...shared, token }) };
}

/** What this runtime calls itself. */
export function describeRuntime() {
  return globalThis.navigator?.userAgent ?? `Node.js/${process.versions.node.split(".")[0]}`;
}
