/** Signs in with a provider object of another package, against a stand-in for everything on the network. Test-only. */
import { type Account, type AuthConfig, createAuth } from "@cardea/core";
import type { OAuthProvider, Provider } from "@cardea/core/providers";
import { type Browser, createBrowser } from "../../browser.ts";
import { endpointsOf, locate } from "../../provider-contract/endpoints.ts";
import type { JsonObject } from "../../scripted-provider/json.ts";
import { createScriptedProvider, type ScriptedProvider } from "../../scripted-provider.ts";

/** How a sign-in went. */
export interface AuthjsSignIn {
  readonly account: Account | null;
  readonly errors: readonly Error[];
  /** The browser afterwards; undefined where the sign-in did not begin. */
  readonly browser?: Browser;
  /** Every `Set-Cookie` of the application. */
  readonly cookies?: readonly string[];
}

/**
 * Signs in with `provider`, which is `described` by the same object with its options laid over it.
 *
 * @param config of the application, beside the provider.
 */
export async function signInWith(
  provider: Provider,
  described: OAuthProvider,
  profile: JsonObject,
  config: Partial<AuthConfig> = {},
): Promise<AuthjsSignIn> {
  const op = standIn(described, profile);
  const restore = replaceFetch(network(op, described, profile));
  try {
    return await signIn(provider, described, op, config);
  } finally {
    restore();
  }
}

/** Azure DevOps has its token endpoint where its authorization endpoint is, so that the stand-in's is elsewhere. */
const TOKEN = "https://stand-in.example.com/token";

function standIn(described: OAuthProvider, profile: JsonObject): ScriptedProvider {
  const { issuer, type, client = {} } = described;
  const { token, ...endpoints } = endpointsOf(described);
  const op = createScriptedProvider({
    issuer: issuer ?? locate(described.authorization) ?? "",
    type: type === "oidc" ? "oidc" : "oauth2",
    clientId: "client-id",
    clientSecret: "client-secret",
    // An RSA key takes more than a tenth of a second to make, and each issuer has its own.
    signatureAlgorithm: algorithmsOf(described).includes("RS256") ? "RS256" : "ES256",
    endpoints: { ...endpoints, ...(token === undefined ? {} : { token: TOKEN }) },
    user: profile,
  });
  op.script = {
    // Not every one of these proves itself and its code in a way that RFC 6749 and RFC 7636 know.
    token: { skip: ["client", "pkce"], clientAuthentication: ["client_secret_basic", "client_secret_post", "none"] },
    // The real LinkedIn returns no nonce.
    ...(described.id === "linkedin" ? { idToken: { claims: { remove: ["nonce"] } } } : {}),
    ...(client.id_token_signed_response_alg === "HS256" ? { idToken: { sign: "hmac-with-secret" } } : {}),
    ...(typeof profile.tid === "string"
      ? { idToken: { claims: { set: { iss: op.issuer.replace("common", profile.tid) } } } }
      : {}),
    ...(client.userinfo_signed_response_alg === undefined ? {} : { userinfo: { signed: true } }),
  };
  return op;
}

const algorithmsOf = ({ client = {} }: OAuthProvider) => [
  client.id_token_signed_response_alg,
  client.userinfo_signed_response_alg,
];

/** The whole network: the stand-in, and the profile at every other address. */
function network(op: ScriptedProvider, described: OAuthProvider, profile: JsonObject): typeof fetch {
  const below = op.issuer.replace(/\/$/, "");
  const { token, jwks, userinfo } = endpointsOf(described);
  const isOidc = described.type === "oidc";
  const own = [`${below}/.well-known/openid-configuration`, `${below}/jwks`, `${below}/token`, `${below}/userinfo`];
  return async (input, init) => {
    const request = new Request(input, init);
    const place = request.url.replace(/[?#].*$/, "");
    if (place === token) return op.fetch(TOKEN, await asCodeGrant(request));
    if (isOidc && [...own, jwks, userinfo].includes(place)) return op.fetch(request);
    return place.includes("/.well-known/") ? new Response(null, { status: 404 }) : Response.json(profile);
  };
}

/** Azure DevOps redeems its code as an assertion (RFC 7523 §2.1). */
async function asCodeGrant(request: Request): Promise<RequestInit> {
  const body = new URLSearchParams(await request.text());
  const assertion = body.get("assertion");
  if (assertion !== null) {
    body.set("grant_type", "authorization_code");
    body.set("code", assertion);
    body.set("client_id", "client-id");
  }
  const headers = new Headers(request.headers);
  headers.delete("content-length");
  headers.set("content-type", "application/x-www-form-urlencoded");
  return { method: "POST", headers, body };
}

async function signIn(
  provider: Provider,
  described: OAuthProvider,
  op: ScriptedProvider,
  config: Partial<AuthConfig>,
): Promise<AuthjsSignIn> {
  const accounts: (Account | null)[] = [];
  const errors: Error[] = [];
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes",
    trustHost: true,
    providers: [provider],
    logger: { error: (error) => errors.push(error), warn: () => {}, debug: () => {} },
    callbacks: { signIn: ({ account }) => accounts.push(account) > 0 },
    ...config,
  });
  const cookies: string[] = [];
  const browser = createBrowser(async (request) => {
    const answer = await handlers[request.method === "POST" ? "POST" : "GET"](request);
    cookies.push(...answer.headers.getSetCookie());
    return answer;
  });
  const action = `/auth/signin/${described.id}`;
  const { redirectsTo } = await browser.submit(await browser.navigate("/auth/signin"), { action });
  if (errors.length > 0) return { account: null, errors };
  const url = new URL(redirectsTo ?? "about:blank");
  url.searchParams.set("scope", `openid profile email ${url.searchParams.get("scope") ?? ""}`);
  url.searchParams.set("response_type", "code");
  const { url: back, form } = await op.authorize(url);
  await browser.navigate(back, { form, initiator: op.issuer });
  return { account: accounts[0] ?? null, errors, browser, cookies };
}

function replaceFetch(replacement: typeof fetch): () => void {
  const original = globalThis.fetch;
  globalThis.fetch = replacement;
  return () => {
    globalThis.fetch = original;
  };
}
