import { type Account, createAuth, type Profile, type Session, type User } from "@cardea/core";
import type { OAuthProvider, Provider } from "@cardea/core/providers";
import { createBrowser } from "../browser.ts";
import type { JsonObject } from "../scripted-provider/json.ts";
import { createScriptedProvider, type ScriptedProvider } from "../scripted-provider.ts";
import { endpointsOf, locate } from "./endpoints.ts";
import type { ProviderExpectations } from "./expectations.ts";

/** Where the application of a contract is found. */
const ORIGIN = "https://app.example.com";

/** How a sign-in of the contract went. */
export interface SignInResult {
  /** Where the browser was sent to. */
  readonly authorizationUrl: URL;
  /** Where the browser ended up. */
  readonly landedOn: string;
  readonly session: Session | null;
  /** What `callbacks.signIn` got; nothing when it was not asked. */
  readonly identity: { readonly user: User; readonly account: Account | null; readonly profile?: Profile } | undefined;
  /** Every error that was logged. */
  readonly errors: readonly Error[];
}

/** The scripted provider in the place of the real one: same issuer, same endpoints, the profile that is expected. */
export function standIn(expected: ProviderExpectations, provider: OAuthProvider, user: JsonObject): ScriptedProvider {
  const { issuer, type } = provider;
  const op = createScriptedProvider({
    issuer: issuer ?? locate(provider.token) ?? ORIGIN,
    type: type === "oidc" ? "oidc" : "oauth2",
    clientId: "client-id",
    clientSecret: "client-secret",
    user,
    endpoints: { ...endpointsOf(provider), ...expected.endpoints },
    resources: expected.resources ?? {},
    ...(type === "oidc" && provider.idToken === false ? { claimsIn: "userinfo" } : {}),
  });
  op.script = { token: { patch: { set: expected.tokens ?? {} } }, ...expected.script };
  return op;
}

/** An application with one provider, in a browser. */
export function createApplication(provider: Provider) {
  const identities: NonNullable<SignInResult["identity"]>[] = [];
  const errors: Error[] = [];
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes",
    trustHost: true,
    useSecureCookies: true,
    providers: [provider],
    logger: { error: (error) => errors.push(error), warn: () => {}, debug: () => {} },
    callbacks: {
      signIn: ({ user, account, profile }) =>
        identities.push({ user, account, ...(profile === undefined ? {} : { profile }) }) > 0,
    },
  });
  return { browser: createBrowser(handlers.GET, { origin: ORIGIN }), identities, errors };
}

/** Presses the provider's button on the built-in page; where the browser is sent. */
async function beginSignIn({ browser }: ReturnType<typeof createApplication>, id: string): Promise<URL> {
  const page = await browser.navigate("/auth/signin");
  const { redirectsTo } = await browser.submit(page, { action: `/auth/signin/${id}` });
  return new URL(redirectsTo ?? "about:blank");
}

/** Signs in from the first page to the session. */
export async function signInAt(op: ScriptedProvider, provider: Provider, id: string): Promise<SignInResult> {
  const application = createApplication(provider);
  const { browser, identities, errors } = application;
  const authorizationUrl = await beginSignIn(application, id);
  const { url, form } = await op.authorize(asStandard(authorizationUrl));
  const landing = await browser.navigate(url, { form, initiator: op.issuer });
  const session = parseSession(await (await browser.navigate("/auth/session")).json());
  return { authorizationUrl, landedOn: landing.redirectsTo ?? "", session, identity: identities[0], errors };
}

/** Some providers issue ID tokens without being asked for `openid`; the scripted one wants to be. */
function asStandard(url: URL): URL {
  const standard = new URL(url);
  const scopes = (url.searchParams.get("scope") ?? "").split(" ");
  standard.searchParams.set("scope", [...new Set(["openid", "profile", ...scopes])].join(" "));
  return standard;
}

function parseSession(body: unknown): Session | null {
  return body as Session | null;
}
