import type { PasskeyCheck } from "../model/error-types.ts";

/** What the browser says of a ceremony (WebAuthn L3 §5.8.1, collected client data). */
export interface ClientData {
  readonly type: string;
  /** base64url. */
  readonly challenge: string;
  readonly origin: string;
  /** Whether the ceremony ran in a frame of another origin. */
  readonly crossOrigin: boolean;
  /** The page around the frame; absent where there was none, or the browser does not say. */
  readonly topOrigin?: string;
  /** Token binding of former versions (WebAuthn L2 §5.8.1): `present` would have to be compared with the connection's. */
  readonly tokenBinding?: "supported" | "present";
}

/** What a ceremony expects the browser to say. */
export interface ExpectedClientData {
  /** `webauthn.create`, `webauthn.get`, or what the application expects instead. */
  readonly types: readonly string[];
  /** Compared exactly, character by character. */
  readonly origins: readonly string[];
  /** Origins of pages that may have the ceremony in a frame (the library's option `expectedTopOrigin`); null for none. */
  readonly topOrigins: readonly string[] | null;
}

/** Reads client data from its JSON. Never throws; null when a member is missing or of the wrong kind. */
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

/** Drafts had `not-supported` as well. */
function parseTokenBinding(value: unknown): Pick<ClientData, "tokenBinding"> | null {
  if (value === undefined) return {};
  const status: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "status") : undefined;
  if (status === "supported" || status === "present") return { tokenBinding: status };
  return status === "not-supported" ? {} : null;
}

/**
 * Judges client data (WebAuthn L3 §7.1 steps 7 to 12, §7.2 steps 11 to 14). The challenge is judged where it is taken.
 *
 * 1. Of this ceremony.
 * 2. From a page of ours.
 * 3. In no frame of another site, unless the page around it is expected; the page is named in a frame alone.
 * 4. Not bound to a TLS connection: none is negotiated, so that the answer comes from another one (WebAuthn L2 §7.1 step 10).
 *
 * @returns what does not hold, or null.
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
