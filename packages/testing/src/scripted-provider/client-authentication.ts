/** Who asks at the token endpoint. */
import { createLocalJWKSet, type JWTVerifyOptions, jwtVerify } from "jose";
import type { ProviderCall } from "./calls.ts";
import type { ClientAuthentication } from "./script.ts";
import type { ProviderState } from "./state.ts";

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/** Undoes `application/x-www-form-urlencoded`, in which id and secret stand inside Basic (RFC 6749 §2.3.1). */
function formDecode(text: string): string {
  return new URLSearchParams(`x=${text.replaceAll("&", "%26")}`).get("x") ?? "";
}

function checkBasic({ settings }: ProviderState, authorization: string): string | undefined {
  const pair = Buffer.from(authorization.slice("Basic ".length), "base64").toString();
  const colon = pair.indexOf(":");
  const isRight =
    colon >= 0 &&
    formDecode(pair.slice(0, colon)) === settings.clientId &&
    formDecode(pair.slice(colon + 1)) === settings.clientSecret;
  return isRight ? undefined : "wrong client id or secret";
}

/** RFC 7523 §3: issuer and subject are the client, the audience is this server, each `jti` comes once. */
async function checkAssertion(
  state: ProviderState,
  assertion: string,
  method: ClientAuthentication,
): Promise<string | undefined> {
  const { settings } = state;
  const options: JWTVerifyOptions = {
    issuer: settings.clientId,
    subject: settings.clientId,
    audience: [settings.issuer, settings.endpoints.token],
    requiredClaims: ["exp", "jti"],
    currentDate: new Date(settings.now()),
  };
  try {
    const { payload } =
      method === "client_secret_jwt"
        ? await jwtVerify(assertion, new TextEncoder().encode(settings.clientSecret), {
            ...options,
            algorithms: ["HS256"],
          })
        : await jwtVerify(assertion, createLocalJWKSet({ keys: [...settings.clientKeys] }), options);
    if (payload.jti === undefined || state.assertionIds.has(payload.jti))
      return "the assertion's jti is missing or was already used";
    state.assertionIds.add(payload.jti);
    return undefined;
  } catch (error) {
    return `bad client assertion: ${String(error)}`;
  }
}

function methodsUsed({ headers, params }: ProviderCall): ClientAuthentication[] {
  const used: ClientAuthentication[] = [];
  if (headers.authorization?.startsWith("Basic ") === true) used.push("client_secret_basic");
  if (params.has("client_secret")) used.push("client_secret_post");
  const assertion = params.get("client_assertion");
  if (assertion !== null) {
    const header = Buffer.from(assertion.split(".")[0] ?? "", "base64url").toString();
    used.push(header.includes('"HS256"') ? "client_secret_jwt" : "private_key_jwt");
  }
  return used.length === 0 ? ["none"] : used;
}

/**
 * Checks that the token request comes from the client, in one way that is allowed (RFC 6749 §2.3).
 * Resolves with what is wrong, or `undefined`. Never rejects.
 */
export async function checkClient(state: ProviderState, call: ProviderCall): Promise<string | undefined> {
  const { settings } = state;
  const [method = "none", second] = methodsUsed(call);
  if (second !== undefined) return "more than one method of client authentication";
  const allowed = state.script.token?.clientAuthentication ?? settings.clientAuthentication;
  if (!allowed.includes(method)) return `${method} is not allowed, only ${allowed.join(", ")}`;

  if (method === "client_secret_basic") return checkBasic(state, call.headers.authorization ?? "");
  const assertion = call.params.get("client_assertion");
  if (assertion !== null) {
    if (call.params.get("client_assertion_type") !== ASSERTION_TYPE) return "wrong client_assertion_type";
    return checkAssertion(state, assertion, method);
  }
  if (call.params.get("client_id") !== settings.clientId) return "wrong client_id";
  if (method === "none") return undefined;
  return call.params.get("client_secret") === settings.clientSecret ? undefined : "wrong client_secret";
}
