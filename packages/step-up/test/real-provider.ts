// npm `oidc-provider` that takes `max_age` and `acr_values` at their word; what a visitor proves there is the script's. Test-only.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { loadProvider } from "../../testing/src/oidc-provider/load.ts";
import { createMemoryAdapters } from "../../testing/src/oidc-provider/memory-adapter.ts";

/** The class that is asked for. */
export const CLASS = "urn:example:loa3";

/** What happens when the provider asks its visitor. */
export interface Proof {
  readonly sub: string;
  /** The class it says it has checked; default none. */
  readonly acr?: string;
  /** How many seconds ago it says that was; default now. */
  readonly ago?: number;
}

/** A running server. */
export interface RealProvider {
  readonly issuer: string;
  /** What the next visitors prove. */
  script: Proof;
  /** Parameters of each authorization request that reached its visitor. */
  readonly asked: Record<string, unknown>[];
  close(): Promise<void>;
}

/** Starts a server on a free port of this machine. */
export async function startRealProvider(redirectUri: string): Promise<RealProvider> {
  let handle = (_request: IncomingMessage, response: ServerResponse): void => void response.end();
  const server = createServer((request, response) => handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const { default: Provider, interactionPolicy } = await loadProvider();
  const policy = interactionPolicy.base();
  // A class is proven again for each request that names one; `max_age` is what the package does by itself.
  const { Check } = interactionPolicy;
  const wants = new Check("class", "a class was requested", ({ oidc }) =>
    oidc.params?.acr_values !== undefined && oidc.result?.login === undefined
      ? Check.REQUEST_PROMPT
      : Check.NO_NEED_TO_PROMPT,
  );
  policy.get("login")?.checks.add(wants);
  const provider = new Provider(issuer, {
    adapter: createMemoryAdapters(),
    acrValues: [CLASS, "urn:example:loa1"],
    clients: [{ client_id: "app", client_secret: "app-secret", redirect_uris: [redirectUri] }],
    claims: { openid: ["sub"], email: ["email", "email_verified"], acr: null, auth_time: null },
    conformIdTokenClaims: false,
    cookies: { keys: ["a key of this test"] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_ctx, sub) => ({
      accountId: sub,
      claims: () => ({ sub, email: `${sub}@example.com`, email_verified: true }),
    }),
    interactions: { policy, url: (_ctx, { uid }) => `/interaction/${uid}` },
    renderError: (ctx, { error, error_description }) => {
      ctx.body = `${error}: ${error_description}`;
    },
    scopes: ["openid", "email"],
    ttl: { AccessToken: 600, AuthorizationCode: 60, IdToken: 600, Interaction: 600, Grant: 3600, Session: 3600 },
  });
  const running: RealProvider = {
    issuer,
    script: { sub: "ann" },
    asked: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  const prove = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { params } = await provider.interactionDetails(request, response);
    running.asked.push(params);
    const { sub, acr, ago = 0 } = running.script;
    const grant = new provider.Grant({ accountId: sub, clientId: "app" });
    grant.addOIDCScope("openid email");
    const ts = Math.floor(Date.now() / 1000) - ago;
    const login = { accountId: sub, ts, ...(acr === undefined ? {} : { acr }) };
    await provider.interactionFinished(request, response, { login, consent: { grantId: await grant.save() } });
  };
  const callback = provider.callback();
  handle = (request, response) =>
    void (request.url?.startsWith("/interaction/") ? prove(request, response) : callback(request, response));
  return running;
}
