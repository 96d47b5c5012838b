/** The userinfo endpoint (OIDC Core §5.3), and other resources that an access token gives access to (RFC 6750). */
import type { ProviderCall } from "./calls.ts";
import type { Answer } from "./faults.ts";
import { claimsFor } from "./id-token.ts";
import { defined, type Json, patchJson } from "./json.ts";
import { type Grant, jsonAnswer, type ProviderState } from "./state.ts";

/** The response if the access token is missing or wrong (RFC 6750 §3.1). Tokens in the query are ignored. */
const REFUSED: Answer = jsonAnswer({ error: "invalid_token" }, 401, {
  "www-authenticate": 'Bearer error="invalid_token"',
});

function findGrant(state: ProviderState, call: ProviderCall): Grant | undefined {
  const authorization = call.headers.authorization ?? "";
  const isHeader = (state.script.userinfo?.transport ?? "header") === "header";
  const inHeader = /^Bearer /i.test(authorization) ? authorization.slice("Bearer ".length) : "";
  const inBody = call.method === "POST" ? (call.params.get("access_token") ?? "") : "";
  return state.accessTokens.get(isHeader ? inHeader : inBody);
}

/** Responds with the claims of the access token's user; for `oauth2`, with everything that the provider knows about the user. */
export async function answerUserinfo(state: ProviderState, call: ProviderCall): Promise<Answer> {
  const grant = findGrant(state, call);
  if (grant === undefined) return REFUSED;
  const { settings, script } = state;
  if (settings.type === "oauth2") return jsonAnswer(grant.user);
  const claims = settings.claimsIn === "idToken" ? defined({ sub: grant.user.sub }) : claimsFor(grant);
  if (script.userinfo?.signed !== true) return jsonAnswer(claims);
  const payload = patchJson({ ...claims, iss: settings.issuer, aud: settings.clientId }, script.userinfo.patch);
  return { status: 200, content: { kind: "jwt", token: await state.keys.sign(payload) } };
}

/** Responds with an additional resource, to any client with an access token. */
export function answerResource(state: ProviderState, call: ProviderCall, value: Json): Answer {
  return findGrant(state, call) === undefined ? REFUSED : jsonAnswer(value);
}
