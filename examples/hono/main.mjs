// Starts the application and an OpenID Provider, both on this machine. PORT and PROVIDER_PORT choose other ports.
import { randomBytes } from "node:crypto";
import { startOidcProvider } from "@cardea/testing/oidc-provider";
import { serve } from "@hono/node-server";
import { createApp } from "./app.mjs";

const { PORT = "3000", PROVIDER_PORT = "4000" } = process.env;
const redirectUris = [`http://localhost:${PORT}/auth/callback/local`];
const { issuer, clientId, clientSecret } = await startOidcProvider({ port: Number(PROVIDER_PORT), redirectUris });
const provider = { id: "local", name: "Local provider", type: "oidc", issuer, clientId, clientSecret };
const { fetch } = createApp({ provider, secret: randomBytes(32).toString("hex") });
const server = serve({ fetch, port: Number(PORT), hostname: "127.0.0.1" }, () => {
  console.log(`http://localhost:${PORT}/members  (Ctrl+C ends it)`);
});
server.on("error", (error) => {
  console.error(error.code === "EADDRINUSE" ? `Port ${PORT} is already in use. Set PORT to another port.` : error);
  process.exit(1);
});
