import { inspect } from "node:util";
import { type Account, createAuth, type Profile, type Session, type User } from "@cardea/core";
import type { OAuthProvider, Provider } from "@cardea/core/providers";
import { createBrowser } from "../browser.ts";
import type { MemoryData } from "../memory-adapter/tables.ts";
import { createMemoryAdapter } from "../memory-adapter.ts";
import type { JsonObject } from "../scripted-provider/json.ts";
import type { AuthorizeScript, ProviderScript } from "../scripted-provider/script.ts";
import { createScriptedProvider, type ScriptedProvider } from "../scripted-provider.ts";
import { endpointsOf, locate } from "./endpoints.ts";
import type { ProviderExpectations } from "./expectations.ts";

/** The origin of the contract's application. */
const ORIGIN = "https://app.example.com";

/** Result of a sign-in. */
export interface SignInResult {
  /** The URL that the browser was redirected to. */
  readonly authorizationUrl: URL;
  /** The URL of the browser at the end. */
  readonly landedOn: string;
  readonly session: Session | null;
  /** The argument of `callbacks.signIn`; undefined if it was not called. */
  readonly identity: { readonly user: User; readonly account: Account | null; readonly profile?: Profile } | undefined;
  /** The rows of the database. */
  readonly stored: MemoryData;
  /** All logged errors. */
  readonly errors: readonly Error[];
  /** The same as text, with their causes. */
  readonly log: string;
}

/** A scripted provider in place of the real one, with the same issuer and endpoints and the expected profile. */
export function standIn(
  expected: ProviderExpectations,
  provider: OAuthProvider,
  user: JsonObject,
  further: ProviderScript = {},
): ScriptedProvider {
  const { issuer, type } = provider;
  const op = createScriptedProvider({
    issuer: issuer ?? locate(provider.token) ?? ORIGIN,
    type: type === "oidc" ? "oidc" : "oauth2",
    clientId: "client-id",
    clientSecret: "client-secret",
    // An RSA key takes more than a tenth of a second to make, and each issuer has its own.
    signatureAlgorithm: provider.client?.id_token_signed_response_alg === "RS256" ? "RS256" : "ES256",
    user,
    endpoints: { ...endpointsOf(provider), ...expected.endpoints },
    resources: expected.resources ?? {},
    ...(type === "oidc" && provider.idToken === false ? { claimsIn: "userinfo" } : {}),
  });
  op.script = merged({ token: { patch: { set: expected.tokens ?? {} } }, ...expected.script }, further);
  return op;
}

function merged(one: ProviderScript, other: ProviderScript): ProviderScript {
  const token = { ...one.token, ...other.token };
  return { ...one, ...other, token, idToken: { ...one.idToken, ...other.idToken } };
}

/** An application with one provider, in a browser. */
export function createApplication(provider: Provider) {
  const identities: NonNullable<SignInResult["identity"]>[] = [];
  const errors: Error[] = [];
  const { adapter, snapshot } = createMemoryAdapter({ keepIds: true });
  const { handlers } = createAuth({
    secret: "a secret of more than thirty-two bytes",
    adapter,
    session: { strategy: "jwt" },
    trustHost: true,
    useSecureCookies: true,
    providers: [provider],
    logger: { error: (error) => errors.push(error), warn: () => {}, debug: () => {} },
    callbacks: {
      signIn: ({ user, account, profile }) =>
        identities.push({ user, account, ...(profile === undefined ? {} : { profile }) }) > 0,
    },
  });
  return { browser: createBrowser(handlers.GET, { origin: ORIGIN }), identities, errors, snapshot };
}

/** Presses the provider's button on the built-in page; returns the URL that the browser is redirected to. */
async function beginSignIn({ browser }: ReturnType<typeof createApplication>, id: string): Promise<URL> {
  const page = await browser.navigate("/auth/signin");
  const { redirectsTo } = await browser.submit(page, { action: `/auth/signin/${id}` });
  return new URL(redirectsTo ?? "about:blank");
}

/** Runs a complete sign-in, from the sign-in page to the session. */
export async function signInAt(
  op: ScriptedProvider,
  provider: Provider,
  id: string,
  script: AuthorizeScript = {},
): Promise<SignInResult> {
  const application = createApplication(provider);
  const { browser, identities, errors, snapshot } = application;
  const authorizationUrl = await beginSignIn(application, id);
  const answer = async (from: URL) => {
    const { url, form } = await op.authorize(asStandard(from), script);
    return browser.navigate(url, { form, initiator: op.issuer });
  };
  const first = await answer(authorizationUrl);
  // A refused code starts the sign-in again, once.
  const isRestarted = first.redirectsTo?.startsWith(`${authorizationUrl.origin}${authorizationUrl.pathname}?`) === true;
  const landing = isRestarted ? await answer(new URL(first.redirectsTo ?? "")) : first;
  const session = parseSession(await (await browser.navigate("/auth/session")).json());
  return {
    authorizationUrl,
    landedOn: landing.redirectsTo ?? "",
    session,
    identity: identities[0],
    stored: snapshot(),
    errors,
    log: inspect(errors, { depth: 10 }),
  };
}

/** Adds the scope `openid`: some providers issue ID tokens without it, but the scripted one requires it. */
function asStandard(url: URL): URL {
  const standard = new URL(url);
  const scopes = (url.searchParams.get("scope") ?? "").split(" ");
  standard.searchParams.set("scope", [...new Set(["openid", "profile", ...scopes])].join(" "));
  return standard;
}

function parseSession(body: unknown): Session | null {
  return body as Session | null;
}
