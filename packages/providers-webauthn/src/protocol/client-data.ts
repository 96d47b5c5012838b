import type { PasskeyCheck } from "@cardea/core/extend";

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

/** The expected content of client data. */
export interface ExpectedClientData {
  /** `webauthn.create`, `webauthn.get`, or what the application expects instead. */
  readonly types: readonly string[];
  /** Compared exactly, character by character. */
  readonly origins: readonly string[];
  /** Origins of pages that may embed the operation in a frame (the library's option `expectedTopOrigin`); null for none. */
  readonly topOrigins: readonly string[] | null;
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
 * Checks client data (WebAuthn L3 §7.1 steps 7 to 12, §7.2 steps 11 to 14). The challenge is checked where it is consumed.
 *
 * 1. It belongs to the expected operation.
 * 2. It comes from one of our pages.
 * 3. It does not come from a frame of another site, unless that site is expected; `topOrigin` occurs in a frame only.
 * 4. It is not bound to a TLS connection: none is negotiated, so it would belong to another one (WebAuthn L2 §7.1 step 10).
 *
 * @returns the failed check, or null.
 */
export function checkClientData(given: ClientData, expected: ExpectedClientData): PasskeyCheck | null {
  if (!expected.types.includes(given.type)) return "type";
  if (!expected.origins.includes(given.origin)) return "origin";
  const { crossOrigin, topOrigin } = given;
  if (!crossOrigin && topOrigin !== undefined) return "cross-origin";
  if (crossOrigin && expected.topOrigins === null) return "cross-origin";
  if (topOrigin !== undefined && expected.topOrigins?.includes(topOrigin) !== true) return "cross-origin";
  return given.tokenBinding === "present" ? "token-binding" : null;
}
