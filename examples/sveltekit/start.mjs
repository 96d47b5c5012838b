// Starts the built application and an OpenID Provider, both on this machine. PORT and PROVIDER_PORT choose other ports.
import { randomBytes } from "node:crypto";
import { startOidcProvider } from "@cardea/testing/oidc-provider";

const { env } = process;
env.PORT ??= "3000";
env.HOST = "127.0.0.1";
env.ORIGIN = env.AUTH_URL = `http://localhost:${env.PORT}`;
env.AUTH_SECRET = randomBytes(32).toString("hex");
const redirectUris = [`${env.ORIGIN}/auth/callback/local`];
const { issuer, clientId, clientSecret, close } = await startOidcProvider({
  port: Number(env.PROVIDER_PORT ?? 4000),
  redirectUris,
});
Object.assign(env, { AUTH_LOCAL_ISSUER: issuer, AUTH_LOCAL_ID: clientId, AUTH_LOCAL_SECRET: clientSecret });
// Ctrl+C: the application closes its own server only, and the provider would keep the process alive.
process.on("sveltekit:shutdown", close);
await import("./dist/index.js");
console.log(`${env.ORIGIN}/members  (Ctrl+C ends it)`);
