/** The token endpoint (RFC 6749 §4.1.3, §6; OIDC Core §3.1.3, §12). */
import { createHash, randomBytes } from "node:crypto";
import type { ProviderCall } from "./calls.ts";
import { checkClient } from "./client-authentication.ts";
import type { Answer } from "./faults.ts";
import { issueIdToken } from "./id-token.ts";
import { defined } from "./json.ts";
import type { TokenCheck } from "./script.ts";
import { type Grant, jsonAnswer, type ProviderState } from "./state.ts";

/** The reported lifetime of access tokens in seconds. */
const ACCESS_TOKEN_LIFETIME_SECONDS = 3600;

type CodeCheck = { readonly ok: true; readonly grant: Grant } | { readonly ok: false; readonly reason: string };

function refuse(error: string, reason: string): Answer {
  if (error !== "invalid_client") return jsonAnswer({ error, error_description: reason }, 400);
  return jsonAnswer({ error, error_description: reason }, 401, { "www-authenticate": 'Basic realm="token"' });
}

function checkVerifier(grant: Grant, verifier: string | null): string | undefined {
  if (grant.codeChallenge === undefined) return verifier === null ? undefined : "a code_verifier without a challenge";
  if (verifier === null || !/^[\w.~-]{43,128}$/.test(verifier)) return "code_verifier is missing or malformed";
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  return challenge === grant.codeChallenge ? undefined : "code_verifier does not match the challenge";
}

/** Consumes the code, and reports whether it is valid. */
function exchangeCode(state: ProviderState, params: URLSearchParams, skip: ReadonlySet<TokenCheck>): CodeCheck {
  const grant = state.codes.get(params.get("code") ?? "");
  if (grant === undefined) return { ok: false, reason: "unknown code" };
  const { isUsed } = grant;
  grant.isUsed = true;
  if (!skip.has("code") && isUsed) return { ok: false, reason: "the code was already used" };
  if (!skip.has("code") && state.settings.now() > grant.expires) return { ok: false, reason: "the code has expired" };
  if (!skip.has("redirect_uri") && params.get("redirect_uri") !== grant.redirectUri) {
    return { ok: false, reason: "redirect_uri differs from the authorization request's" };
  }
  const wrong = skip.has("pkce") ? undefined : checkVerifier(grant, params.get("code_verifier"));
  return wrong === undefined ? { ok: true, grant } : { ok: false, reason: wrong };
}

function checkGrant(
  state: ProviderState,
  { params }: ProviderCall,
  skip: ReadonlySet<TokenCheck>,
): CodeCheck | undefined {
  if (params.get("grant_type") === "authorization_code") return exchangeCode(state, params, skip);
  if (params.get("grant_type") !== "refresh_token") return undefined;
  const grant = state.refreshTokens.get(params.get("refresh_token") ?? "");
  // A refreshed ID token has no nonce of its own (OIDC Core §12.2).
  return grant === undefined
    ? { ok: false, reason: "unknown refresh_token" }
    : { ok: true, grant: { ...grant, nonce: undefined } };
}

function mint(tokens: Map<string, Grant>, issued: string[], grant: Grant): string {
  const token = randomBytes(24).toString("base64url");
  tokens.set(token, grant);
  issued.push(token);
  return token;
}

async function grantTokens(state: ProviderState, grant: Grant): Promise<Answer> {
  const accessToken = mint(state.accessTokens, state.issued.accessTokens, grant);
  const scopes = grant.scope.split(" ");
  const isOidc = state.settings.type === "oidc" && scopes.includes("openid");
  return jsonAnswer(
    defined({
      access_token: accessToken,
      token_type: "Bearer",
      expires_in: ACCESS_TOKEN_LIFETIME_SECONDS,
      scope: grant.scope === "" ? undefined : grant.scope,
      refresh_token: scopes.includes("offline_access")
        ? mint(state.refreshTokens, state.issued.refreshTokens, grant)
        : undefined,
      id_token: isOidc ? await issueIdToken(state, grant, accessToken) : undefined,
    }),
  );
}

/**
 * Responds to a token request like a correct provider.
 *
 * 1. POST of a form (RFC 6749 §3.2).
 * 2. The client authenticates with one of the accepted methods (§2.3).
 * 3. The code is known, unused and unexpired, and redirect_uri is the requested one (§4.1.3).
 * 4. The verifier matches the challenge; without a challenge there must be no verifier (RFC 7636 §4.6, RFC 9700 §4.8.2).
 */
export async function answerToken(state: ProviderState, call: ProviderCall): Promise<Answer> {
  const isForm = call.headers["content-type"]?.startsWith("application/x-www-form-urlencoded") === true;
  if (call.method !== "POST" || !isForm) return refuse("invalid_request", "not a form POST");
  const skip = new Set(state.script.token?.skip);
  const stranger = skip.has("client") ? undefined : await checkClient(state, call);
  if (stranger !== undefined) return refuse("invalid_client", stranger);
  const check = checkGrant(state, call, skip);
  if (check === undefined) return refuse("unsupported_grant_type", "authorization_code and refresh_token only");
  return check.ok ? grantTokens(state, check.grant) : refuse("invalid_grant", check.reason);
}
