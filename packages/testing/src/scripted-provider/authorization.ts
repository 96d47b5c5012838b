/** The person's visit to the provider: from the authorization URL to the way back. */
import { randomBytes } from "node:crypto";
import { endpointAt } from "./metadata.ts";
import type { AuthorizeScript, ParameterScript } from "./script.ts";
import type { Grant, ProviderState } from "./state.ts";

/** How long a code is good for, milliseconds: RFC 6749 §4.1.2 recommends at most ten minutes; providers give one. */
const CODE_LIFETIME_MS = 60_000;

/** The way back to the client. `browser.navigate(answer.url, { form: answer.form, initiator: provider.issuer })` takes it. */
export interface AuthorizationAnswer {
  /** How the parameters come back: in the URL, or in a form that the browser posts (`response_mode`). */
  readonly mode: "query" | "form_post";
  /** Where to go: with the parameters for `query`, without for `form_post`. */
  readonly url: URL;
  /** The form to post there; `undefined` for `query`. */
  readonly form: URLSearchParams | undefined;
}

/** The client's authorization request is wrong in a way that must not lead back to it. The message says which. */
export class AuthorizationRequestRefused extends Error {
  /** Identifies the error. */
  override readonly name = "AuthorizationRequestRefused";
}

function refuse(reason: string): never {
  throw new AuthorizationRequestRefused(`The provider refuses the authorization request: ${reason}.`);
}

/** Parameters that may come once only (RFC 6749 §3.1: none may be repeated). */
function requireSingle(params: URLSearchParams): void {
  const names = [...params.keys()];
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) refuse(`"${repeated}" is repeated`);
}

function requireRedirectUri({ settings }: ProviderState, redirectUri: string | null): string {
  if (redirectUri === null || !URL.canParse(redirectUri)) refuse("redirect_uri is missing or not an absolute URL");
  if (settings.redirectUris !== undefined && !settings.redirectUris.includes(redirectUri)) {
    refuse(`redirect_uri ${redirectUri} is not registered`);
  }
  return redirectUri;
}

function requireChallenge({ settings }: ProviderState, params: URLSearchParams): string | undefined {
  const challenge = params.get("code_challenge") ?? undefined;
  if (challenge === undefined) {
    if (settings.pkce === "required") refuse("code_challenge is missing");
    return undefined;
  }
  if (params.get("code_challenge_method") !== "S256") refuse("code_challenge_method is not S256");
  if (!/^[\w-]{43}$/.test(challenge)) refuse("code_challenge is not a base64url SHA-256 hash");
  return challenge;
}

function requireMode(mode: string | null): "query" | "form_post" {
  if (mode === null || mode === "query") return "query";
  return mode === "form_post" ? mode : refuse(`response_mode ${mode} is not supported`);
}

/** Checks the request as RFC 6749 §4.1.1 and OIDC Core §3.1.2.2 say, before anything is sent back. */
function requireGrant(state: ProviderState, params: URLSearchParams, user: AuthorizeScript["user"]): Grant {
  const { settings } = state;
  requireSingle(params);
  if (params.get("client_id") !== settings.clientId) refuse(`client_id is not ${settings.clientId}`);
  const redirectUri = requireRedirectUri(state, params.get("redirect_uri"));
  if (params.get("response_type") !== "code") refuse("response_type is not code");
  const scope = params.get("scope") ?? "";
  if (settings.type === "oidc" && !scope.split(" ").includes("openid")) refuse("scope does not include openid");
  const now = settings.now();
  return {
    redirectUri,
    scope,
    nonce: params.get("nonce") ?? undefined,
    codeChallenge: requireChallenge(state, params),
    authTime: params.has("max_age") ? Math.floor(now / 1000) : undefined,
    user: user ?? state.user,
    expires: now + CODE_LIFETIME_MS,
  };
}

function scriptParams(honest: readonly (readonly [string, string])[], script: ParameterScript): [string, string][] {
  const removed = new Set(script.remove);
  const replaced = new Map(Object.entries(script.replace ?? {}));
  const result: [string, string][] = [];
  for (const [name, value] of honest) {
    if (removed.has(name)) continue;
    const second = script.duplicate?.[name];
    if (second !== undefined) result.push([name, second]);
    result.push([name, replaced.get(name) ?? value]);
    replaced.delete(name);
  }
  return [...result, ...replaced, ...Object.entries(script.add ?? {})];
}

function mintCode(state: ProviderState, grant: Grant): string {
  const code = randomBytes(24).toString("base64url");
  state.codes.set(code, { ...grant, isUsed: false });
  state.issued.codes.push(code);
  return code;
}

function responseParams(
  state: ProviderState,
  grant: Grant,
  script: AuthorizeScript,
  given: string | null,
): [string, string][] {
  const result: Readonly<Record<string, string>> = script.error ?? { code: mintCode(state, grant) };
  const params = Object.entries(result);
  if (given !== null) params.push(["state", given]);
  if (state.settings.responseIss) params.push(["iss", state.settings.issuer]);
  return scriptParams(params, script.params ?? {});
}

/**
 * Plays the person at the provider: checks the authorization request, signs `user` in and answers.
 * Throws {@link AuthorizationRequestRefused} for a request no provider would accept.
 */
export function authorize(state: ProviderState, target: URL, overrides: AuthorizeScript): AuthorizationAnswer {
  state.calls.authorize.push({
    method: "GET",
    url: target.href,
    headers: {},
    body: "",
    params: target.searchParams,
    at: state.settings.now(),
    bytesSent: 0,
  });
  if (endpointAt(state, target) !== "authorize")
    refuse(`${target.origin}${target.pathname} is not its authorization endpoint`);
  const script: AuthorizeScript = { ...state.script.authorize, ...overrides };
  const grant = requireGrant(state, target.searchParams, script.user);
  const mode = requireMode(target.searchParams.get("response_mode"));
  const params = responseParams(state, grant, script, target.searchParams.get("state"));

  const url = new URL(grant.redirectUri);
  if (mode === "form_post") return { mode, url, form: new URLSearchParams(params) };
  for (const [name, value] of params) url.searchParams.append(name, value);
  return { mode, url, form: undefined };
}
