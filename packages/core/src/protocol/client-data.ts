import type { PasskeyCheck } from "../model/error-types.ts";

/** What the browser says of a ceremony (WebAuthn L3 §5.8.1, collected client data). */
export interface ClientData {
  readonly type: string;
  /** base64url. */
  readonly challenge: string;
  readonly origin: string;
  /** Whether the ceremony ran in a frame of another origin. */
  readonly crossOrigin: boolean;
}

/** What a ceremony expects the browser to say. */
export interface ExpectedClientData {
  /** `webauthn.create`, `webauthn.get`, or what the application expects instead. */
  readonly types: readonly string[];
  /** Compared exactly, character by character. */
  readonly origins: readonly string[];
  /** Frames of other origins are expected (the library's option `expectedTopOrigin`). */
  readonly allowCrossOrigin: boolean;
}

/** Reads client data from its JSON. Never throws; null when a member is missing or of the wrong kind. */
export function parseClientData(json: string): ClientData | null {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const members = new Map<string, unknown>(Object.entries(value));
  const type = members.get("type");
  const challenge = members.get("challenge");
  const origin = members.get("origin");
  const crossOrigin = members.get("crossOrigin") ?? false;
  if (typeof type !== "string" || typeof challenge !== "string" || typeof origin !== "string") return null;
  return typeof crossOrigin === "boolean" ? { type, challenge, origin, crossOrigin } : null;
}

/**
 * Judges client data (WebAuthn L3 §7.1 steps 7 to 11, §7.2 steps 11 to 15). The challenge is judged where it is taken.
 *
 * @returns what does not hold, or null.
 */
export function judgeClientData(given: ClientData, expected: ExpectedClientData): PasskeyCheck | null {
  if (!expected.types.includes(given.type)) return "type";
  if (!expected.origins.includes(given.origin)) return "origin";
  return given.crossOrigin && !expected.allowCrossOrigin ? "cross-origin" : null;
}
