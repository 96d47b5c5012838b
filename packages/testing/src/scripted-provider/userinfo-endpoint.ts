/** The userinfo endpoint (OIDC Core §5.3), and whatever else an access token opens (RFC 6750). */
import type { ProviderCall } from "./calls.ts";
import type { Answer } from "./faults.ts";
import { claimsFor } from "./id-token.ts";
import { defined, type Json, patchJson } from "./json.ts";
import { type Grant, jsonAnswer, type ProviderState } from "./state.ts";

/** A request without, or with a wrong, access token (RFC 6750 §3.1). Tokens in the query are never looked at. */
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

/** Answers with the claims of the person whose access token comes; with `oauth2`, with all the provider knows of them. */
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

/** Answers with a further resource, to anyone who has an access token. */
export function answerResource(state: ProviderState, call: ProviderCall, value: Json): Answer {
  return findGrant(state, call) === undefined ? REFUSED : jsonAnswer(value);
}
