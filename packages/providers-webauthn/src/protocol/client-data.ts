import type { PasskeyCheck } from "@cardea/extend";

/** The browser's statement about a passkey operation (WebAuthn L3 §5.8.1, collected client data). */
export interface ClientData {
  readonly type: string;
  /** base64url. */
  readonly challenge: string;
  readonly origin: string;
  /** Whether the passkey was used in a frame of another origin. */
  readonly crossOrigin: boolean;
  /** The origin of the page around the frame; absent if there is no frame, or if the browser does not report it. */
  readonly topOrigin?: string;
  /** Token binding of earlier versions (WebAuthn L2 §5.8.1): `present` would have to be compared with the connection's. */
  readonly tokenBinding?: "supported" | "present";
}

/** Reads client data from its JSON. Never throws; null if a member is missing or has the wrong type. */
export function parseClientData(json: string): ClientData | null {
  const members = parseMembers(json);
  const type = members?.get("type");
  const challenge = members?.get("challenge");
  const origin = members?.get("origin");
  const crossOrigin = members?.get("crossOrigin") ?? false;
  const topOrigin = members?.get("topOrigin");
  if (typeof type !== "string" || typeof challenge !== "string" || typeof origin !== "string") return null;
  if (typeof crossOrigin !== "boolean" || (topOrigin !== undefined && typeof topOrigin !== "string")) return null;
  const tokenBinding = parseTokenBinding(members?.get("tokenBinding"));
  if (tokenBinding === null) return null;
  const optional = { ...(topOrigin === undefined ? {} : { topOrigin }), ...tokenBinding };
  return { type, challenge, origin, crossOrigin, ...optional };
}

function parseMembers(json: string): ReadonlyMap<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    return new Map<string, unknown>(Object.entries(value));
  } catch {
    return null;
  }
}

/** Drafts also had `not-supported`. */
function parseTokenBinding(value: unknown): Pick<ClientData, "tokenBinding"> | null {
  if (value === undefined) return {};
  const status: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "status") : undefined;
  if (status === "supported" || status === "present") return { tokenBinding: status };
  return status === "not-supported" ? {} : null;
}

/**
 * Checks of client data that `@simplewebauthn/server` lacks; it verifies `type` and `origin`. The challenge is checked where it is
 * consumed.
 *
 * 1. It does not come from a frame of another site, unless that site is expected; `topOrigin` occurs in a frame only
 *    (WebAuthn L3 §7.1 steps 10 and 11, §7.2 steps 13 and 14). The library checks this only for authentications that have
 *    `topOrigin`.
 * 2. It is not bound to a TLS connection: none is negotiated, so it would belong to another one (WebAuthn L2 §7.1 step 10, §7.2
 *    step 14). The library accepts it.
 *
 * @param topOrigins origins of pages that may embed the operation in a frame (the library's option `expectedTopOrigin`); null for
 *   none.
 * @returns the failed check, or null.
 */
export function checkClientData(given: ClientData, topOrigins: readonly string[] | null): PasskeyCheck | null {
  const { crossOrigin, topOrigin } = given;
  if (!crossOrigin && topOrigin !== undefined) return "cross-origin";
  if (crossOrigin && topOrigins === null) return "cross-origin";
  if (topOrigin !== undefined && topOrigins?.includes(topOrigin) !== true) return "cross-origin";
  return given.tokenBinding === "present" ? "token-binding" : null;
}
