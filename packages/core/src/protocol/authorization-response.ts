/** What an authorization server sent back through the browser (RFC 6749 §4.1.2), before anything of it is believed. */
export type AuthorizationResponse =
  | { readonly kind: "code"; readonly state: string; readonly params: URLSearchParams }
  | { readonly kind: "error"; readonly state: string | null; readonly error: string; readonly description: string }
  | { readonly kind: "invalid"; readonly state: string | null; readonly reason: string };

/** Longest code or state that is looked at; providers stay far below it. */
const MAX_PARAMETER_LENGTH = 8192;

const SINGLE = ["code", "state", "iss", "error", "error_description", "error_uri", "session_state"] as const;

/**
 * What only answers to other requests hold: tokens of the implicit and hybrid flows (OAuth 2.0 Multiple Response Type
 * Encoding Practices §5, OpenID4VP §8.1), or all of the answer as a JWT (JARM §2.3). We asked for a code; whoever made such an
 * answer replays one that was made for another client or flow (RFC 9700 §2.1.2, §4.4).
 */
const OF_OTHER_FLOWS = ["access_token", "id_token", "token_type", "refresh_token", "vp_token", "response"] as const;

/**
 * Reads an authorization response. Never throws.
 *
 * 1. No parameter may appear twice (RFC 6749 §3.1).
 * 2. With `error` it is an error whatever else it holds (RFC 6749 §4.1.2.1).
 * 3. It holds no parameter of another response type.
 * 4. Otherwise `state` and `code` must be there, of sane length and without control characters.
 */
export function parseAuthorizationResponse(params: URLSearchParams): AuthorizationResponse {
  const repeated = SINGLE.find((name) => params.getAll(name).length > 1);
  const state = params.getAll("state").length === 1 ? params.get("state") : null;
  if (repeated !== undefined) return { kind: "invalid", state, reason: `the parameter "${repeated}" is repeated` };
  const error = params.get("error");
  if (error !== null) {
    return { kind: "error", state, error, description: params.get("error_description") ?? "" };
  }
  const foreign = OF_OTHER_FLOWS.find((name) => params.has(name));
  if (foreign !== undefined) {
    return { kind: "invalid", state, reason: `the parameter "${foreign}" belongs to another response type` };
  }
  if (!isSane(state)) return { kind: "invalid", state: null, reason: 'the parameter "state" is missing or malformed' };
  if (!isSane(params.get("code")))
    return { kind: "invalid", state, reason: 'the parameter "code" is missing or malformed' };
  return { kind: "code", state, params };
}

function isSane(value: string | null): value is string {
  // RFC 6749 appendix A: VSCHAR.
  return value !== null && value !== "" && value.length <= MAX_PARAMETER_LENGTH && /^[\x20-\x7e]+$/.test(value);
}
