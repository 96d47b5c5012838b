/** The configuration of npm `oidc-provider`: PKCE, our users, our pages, and none of its development defaults. */
import { randomBytes } from "node:crypto";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import type { Configuration, KoaContextWithOIDC } from "oidc-provider";
import { Html, html } from "../html.ts";
import type { OidcClient } from "./client.ts";
import type { ProviderModule } from "./load.ts";
import { createMemoryAdapters } from "./memory-adapter.ts";
import { contentSecurityPolicy, renderMessage } from "./pages.ts";
import type { People } from "./people.ts";

/** Lifetimes in seconds. */
const TTL = {
  AccessToken: 3600,
  AuthorizationCode: 60,
  IdToken: 3600,
  Interaction: 3600,
  Grant: 14 * 86_400,
  RefreshToken: 14 * 86_400,
  Session: 14 * 86_400,
} as const;

type InteractionPolicy = NonNullable<NonNullable<Configuration["interactions"]>["policy"]>;

async function makeKey(alg: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...(await exportJWK(privateKey)), alg, use: "sig", kid: `${alg}-${randomBytes(6).toString("base64url")}` };
}

/** Prompts at each sign-in, even remembered users, like providers with several accounts. `prompt=none` still works. */
function createPolicy({ interactionPolicy }: ProviderModule): InteractionPolicy {
  const { base, Check, Prompt } = interactionPolicy;
  const policy = base();
  const ask = new Check("each_time", "the user confirms each sign-in", ({ oidc }) => {
    return oidc.result?.consent === undefined && !oidc.prompts.has("none");
  });
  policy.get("consent")?.checks.add(ask);
  policy.add(new Prompt({ name: "select_account", requestable: true }), 0);
  return policy;
}

function toMetadata(client: OidcClient) {
  return {
    client_id: client.clientId,
    client_name: client.name ?? client.clientId,
    redirect_uris: [...client.redirectUris],
    post_logout_redirect_uris: [...(client.postLogoutRedirectUris ?? [])],
    grant_types: ["authorization_code", "refresh_token"],
    ...(client.backchannelLogoutUri === undefined
      ? {}
      : { backchannel_logout_uri: client.backchannelLogoutUri, backchannel_logout_session_required: true }),
    response_types: ["code" as const],
    ...(client.clientSecret === undefined
      ? { token_endpoint_auth_method: "none" as const }
      : {
          client_secret: client.clientSecret,
          token_endpoint_auth_method: client.tokenEndpointAuthMethod ?? ("client_secret_basic" as const),
        }),
  };
}

function show(ctx: KoaContextWithOIDC, page: string): void {
  ctx.type = "html";
  ctx.set("content-security-policy", contentSecurityPolicy(["http:", "https:"]));
  ctx.body = page;
}

const LOGOUT_BUTTONS = html`<div class="actions">
<button form="op.logoutForm" name="logout" value="yes">Sign out</button>
<button form="op.logoutForm" class="quiet">Stay signed in</button>
</div>`;

const FEATURES: NonNullable<Configuration["features"]> = {
  devInteractions: { enabled: false },
  backchannelLogout: { enabled: true },
  rpInitiatedLogout: {
    enabled: true,
    logoutSource: (ctx, form) => {
      const content = html`${new Html(form)}${LOGOUT_BUTTONS}`;
      show(ctx, renderMessage("Also sign out of the provider?", "You signed out of the application.", content));
    },
    postLogoutSuccessSource: (ctx) => show(ctx, renderMessage("Signed out", "You may close this page.")),
  },
};

/** Sends logout tokens to applications on this machine, because the package's own dispatcher blocks local addresses. */
const callLocally: NonNullable<Configuration["fetch"]> = (url, init = {}) => {
  const { method = "GET", headers = {}, body = null, redirect = "manual", signal = null } = init;
  return fetch(url, { method, headers, body, redirect, signal });
};

/** The configuration of one local provider. */
export async function createConfiguration(
  module: ProviderModule,
  clients: readonly OidcClient[],
  people: People,
  rotates = false,
): Promise<Configuration> {
  return {
    adapter: createMemoryAdapters(),
    clients: clients.map(toMetadata),
    claims: {
      openid: ["sub"],
      profile: ["name", "preferred_username", "picture"],
      email: ["email", "email_verified"],
    },
    // Applications of this library read the ID token, so it must contain the claims.
    conformIdTokenClaims: false,
    cookies: {
      keys: [randomBytes(32).toString("base64url")],
      names: { session: "op_session", interaction: "op_interaction", resume: "op_resume" },
    },
    features: FEATURES,
    fetch: callLocally,
    findAccount: (_ctx, sub) => {
      const person = people.find(sub);
      return person && { accountId: sub, claims: () => ({ ...person }) };
    },
    clientBasedCORS: () => false,
    interactions: {
      policy: createPolicy(module),
      url: (_ctx, { uid }) => `/interaction/${uid}`,
    },
    jwks: { keys: await Promise.all([makeKey("RS256"), makeKey("ES256")]) },
    pkce: { required: () => true },
    renderError: (ctx, { error, error_description }) => {
      show(ctx, renderMessage("Something went wrong", `${error}: ${error_description ?? ""}`));
    },
    ...(rotates ? { rotateRefreshToken: true } : {}),
    scopes: ["openid", "profile", "email", "offline_access"],
    ttl: TTL,
  };
}
