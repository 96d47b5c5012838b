/** What an authorization server sent back through the browser (RFC 6749 §4.1.2), before anything of it is believed. */
export type AuthorizationResponse =
  | { readonly kind: "code"; readonly state: string; readonly params: URLSearchParams }
  | { readonly kind: "error"; readonly state: string | null; readonly error: string; readonly description: string }
  | { readonly kind: "invalid"; readonly state: string | null; readonly reason: string };

/** Longest code or state that is looked at; providers stay far below it. */
const MAX_PARAMETER_LENGTH = 8192;

const SINGLE = ["code", "state", "iss", "error", "error_description", "error_uri", "session_state"] as const;

/**
 * Reads an authorization response. Never throws.
 *
 * 1. No parameter may appear twice (RFC 6749 §3.1; safety H088).
 * 2. With `error` it is an error whatever else it holds (RFC 6749 §4.1.2.1; safety H094).
 * 3. Otherwise `state` and `code` must be there, of sane length and without control characters.
 */
export function parseAuthorizationResponse(params: URLSearchParams): AuthorizationResponse {
  const repeated = SINGLE.find((name) => params.getAll(name).length > 1);
  const state = params.getAll("state").length === 1 ? params.get("state") : null;
  if (repeated !== undefined) return { kind: "invalid", state, reason: `the parameter "${repeated}" is repeated` };
  const error = params.get("error");
  if (error !== null) {
    return { kind: "error", state, error, description: params.get("error_description") ?? "" };
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
