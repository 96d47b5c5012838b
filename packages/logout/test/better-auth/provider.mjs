// An OpenID Provider made with better-auth, as a process of its own: run in a folder where `better-auth` and `@better-auth/oauth-provider` are
// installed. Its argument: redirect URI and back-channel logout URI as JSON. Prints its issuer and its client as JSON.
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { resolve } = createRequire(`${process.cwd()}/package.json`);
const load = (name) => import(pathToFileURL(resolve(name)).href);
const { betterAuth } = await load("better-auth");
const { memoryAdapter } = await load("better-auth/adapters/memory");
const { toNodeHandler } = await load("better-auth/node");
const { jwt } = await load("better-auth/plugins");
const { oauthProvider } = await load("@better-auth/oauth-provider");

const { redirectUri, logoutUri } = JSON.parse(process.argv[2]);
let handle = (_request, response) => void response.writeHead(503).end();
const server = createServer((request, response) => handle(request, response));
await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
const origin = `http://127.0.0.1:${server.address().port}`;

const names = [
  ...[
    "user",
    "session",
    "account",
    "verification",
    "jwks",
    "oauthClient",
    "oauthClientAssertion",
    "oauthClientResource",
  ],
  ...["oauthResource", "oauthAccessToken", "oauthRefreshToken", "oauthConsent"],
];
const tables = Object.fromEntries(names.map((name) => [name, []]));
const auth = betterAuth({
  baseURL: origin,
  secret: "a secret of this provider, of more than thirty-two bytes",
  database: memoryAdapter(tables),
  emailAndPassword: { enabled: true },
  disabledPaths: ["/token"],
  logger: { level: "error" },
  telemetry: { enabled: false },
  plugins: [
    jwt({ jwks: { keyPairConfig: { alg: "ES256" } }, jwt: { issuer: origin } }),
    oauthProvider({
      loginPage: "/login",
      consentPage: "/consent",
      silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
    }),
  ],
});
// Clients are registered by a user.
const operator = { name: "Operator", email: "operator@example.com", password: "a password of the operator" };
const { headers: signedIn } = await auth.api.signUpEmail({ body: operator, returnHeaders: true });
const cookie = signedIn.getSetCookie().map((line) => line.split(";")[0]);
const client = await auth.api.adminCreateOAuthClient({
  headers: new Headers({ cookie: cookie.join("; ") }),
  body: {
    // An application over http on this machine.
    application_type: "native",
    redirect_uris: [redirectUri],
    skip_consent: true,
    scope: "openid profile email offline_access",
    token_endpoint_auth_method: "client_secret_basic",
  },
});
// It registers https only, and sends to what its table says.
Object.assign(tables.oauthClient[0], { backchannelLogoutUri: logoutUri, backchannelLogoutSessionRequired: true });
const own = toNodeHandler(auth);
handle = async (request, response) => {
  // The metadata is below the issuer; the library has it below its own path.
  if (request.url === "/.well-known/openid-configuration") {
    const metadata = await auth.api.getOpenIdConfig({ headers: new Headers({ host: request.headers.host }) });
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(metadata));
  } else await own(request, response);
};
console.log(JSON.stringify({ issuer: origin, clientId: client.client_id, clientSecret: client.client_secret }));
