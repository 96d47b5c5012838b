// npm `oidc-provider` with its FAPI 2.0 profile on, or with single protections of it: a visitor is signed in as Ann. Test-only.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { loadProvider, type ProviderModule } from "../../testing/src/oidc-provider/load.ts";
import { createMemoryAdapters } from "../../testing/src/oidc-provider/memory-adapter.ts";

type Configuration = NonNullable<ConstructorParameters<ProviderModule["default"]>[1]>;
type ClientMetadata = NonNullable<Configuration["clients"]>[number];

/** What the server demands. */
export interface FapiOptions {
  readonly features: NonNullable<Configuration["features"]>;
  readonly client: Partial<ClientMetadata>;
  /** Where the application is. */
  readonly redirectUri: string;
}

/** A request that reached the server. */
interface SeenRequest {
  readonly path: string;
  readonly params: URLSearchParams;
  readonly dpop: string | undefined;
  readonly authorization: string | undefined;
}

/** A running server and what it saw. */
export interface FapiProvider {
  readonly issuer: string;
  /** The key of the client, for its assertions and request objects. */
  readonly clientKey: CryptoKey;
  readonly seen: readonly SeenRequest[];
  /** Requests to one endpoint. */
  at(path: string): SeenRequest[];
  close(): Promise<void>;
}

const ACCOUNT = { sub: "ann", email: "ann@example.com", email_verified: true };

/** FAPI 2.0 Security Profile §5.3: pushed requests, bound tokens, and clients that sign. */
export const FAPI_2: Pick<FapiOptions, "features" | "client"> = {
  features: {
    fapi: { enabled: true, profile: "2.0" },
    pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true },
    requestObjects: { enabled: true, requireSignedRequestObject: true },
    dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => true },
  },
  client: {
    token_endpoint_auth_method: "private_key_jwt",
    token_endpoint_auth_signing_alg: "ES256",
    id_token_signed_response_alg: "ES256",
    request_object_signing_alg: "ES256",
    dpop_bound_access_tokens: true,
  },
};

function makeKey(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
}

async function exportKey(key: CryptoKey) {
  const { crv = "", d, x = "", y = "" } = await crypto.subtle.exportKey("jwk", key);
  return { kty: "EC" as const, crv, x, y, ...(d === undefined ? {} : { d }) };
}

/** The header and the claims of a JWT. */
export function readJwt(jwt: string): {
  readonly header: Record<string, unknown>;
  readonly claims: Record<string, unknown>;
} {
  const [header, claims] = jwt
    .split(".")
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString() || "{}"));
  return { header, claims };
}

/** Starts a server on a free port of this machine. */
export async function startFapiProvider({ features, client, redirectUri }: FapiOptions): Promise<FapiProvider> {
  const seen: SeenRequest[] = [];
  let handle = (_request: IncomingMessage, response: ServerResponse): void => void response.end();
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const [signing, own] = await Promise.all([makeKey(), makeKey()]);
  const publicKey = { ...(await exportKey(own.publicKey)), alg: "ES256", use: "sig", kid: "client" };
  const module = await loadProvider();
  const provider = new module.default(issuer, {
    adapter: createMemoryAdapters(),
    clients: [
      {
        client_id: "app",
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        jwks: { keys: [publicKey] },
        ...client,
      },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"] },
    conformIdTokenClaims: false,
    cookies: { keys: ["a key of this test"] },
    features: { devInteractions: { enabled: false }, ...features },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ACCOUNT }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    jwks: { keys: [{ ...(await exportKey(signing.privateKey)), alg: "ES256", use: "sig", kid: "op" }] },
    pkce: { required: () => true },
    rotateRefreshToken: true,
    renderError: (ctx, { error }) => {
      ctx.body = error;
    },
    scopes: ["openid", "email", "offline_access"],
    ttl: {
      AccessToken: 3600,
      AuthorizationCode: 60,
      IdToken: 3600,
      Interaction: 600,
      Grant: 3600,
      RefreshToken: 3600,
      Session: 3600,
    },
  });
  const signIn = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const grant = new provider.Grant({ accountId: ACCOUNT.sub, clientId: "app" });
    grant.addOIDCScope("openid email offline_access");
    const result = { login: { accountId: ACCOUNT.sub }, consent: { grantId: await grant.save() } };
    await provider.interactionFinished(request, response, result);
  };
  const callback = provider.callback();
  handle = (request, response) => {
    const url = new URL(request.url ?? "/", issuer);
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => void chunks.push(chunk));
    request.on("end", () => {
      const params =
        request.method === "POST" ? new URLSearchParams(Buffer.concat(chunks).toString()) : url.searchParams;
      const { dpop, authorization } = request.headers;
      seen.push({ path: url.pathname, params, dpop: typeof dpop === "string" ? dpop : undefined, authorization });
    });
    void (url.pathname.startsWith("/interaction/") ? signIn(request, response) : callback(request, response));
  };
  return {
    ...{ issuer, clientKey: own.privateKey, seen },
    at: (path) => seen.filter((one) => one.path === path),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
