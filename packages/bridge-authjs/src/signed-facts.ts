import type { JWT } from "@cardea/extend";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";
import { hkdf } from "./derive-key.ts";

/**
 * Cardea's facts about a session, in a token that another library also writes: `v1.<base64url JSON>.<HMAC-SHA-256>`.
 * Callbacks of the other library often copy browser input into the token. They can remove this value or restore an
 * earlier one of the same user, but cannot forge one.
 */
const VERSION = "v1";

/** The claims that only Cardea may set. */
const CLAIM = "cardea";
const UNPROVEN = "unproven";

/** 400 days, the longest lifetime of a cookie (RFC 6265bis §5.6.2). */
const MAX_LIFETIME = 400 * 24 * 60 * 60;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** The signed content. */
interface SignedFacts {
  readonly facts?: unknown;
  /** The address that the user has not verified. */
  readonly unproven?: unknown;
  /** When the value expires. The other library renews a session without creating a new value. */
  readonly exp: number;
}

/** Replaces the claims that only Cardea may set with a signed value. */
export async function signFacts(claims: JWT, secret: string): Promise<JWT> {
  const { [CLAIM]: facts, [UNPROVEN]: unproven, ...others } = claims;
  const { sub, iat } = claims;
  if ((facts === undefined && unproven === undefined) || !isSubject(sub)) return others;
  const signed: SignedFacts = { facts, unproven, exp: (iat ?? 0) + MAX_LIFETIME };
  const text = `${VERSION}.${encodeBase64url(encoder.encode(JSON.stringify(signed)))}`;
  const mac = await crypto.subtle.sign("HMAC", await keyOf(secret), messageOf(text, sub));
  return { ...others, [CLAIM]: `${text}.${encodeBase64url(new Uint8Array(mac))}` };
}

/**
 * Inverse of {@link signFacts}. Claims without a valid value have no facts: no factor, no step-up.
 *
 * 1. The value is well-formed, and its HMAC over the value and the token's `sub` matches one of the secrets.
 * 2. It has not expired.
 * 3. The session in the facts did not begin after the token was issued.
 */
export async function readFacts(claims: JWT, secrets: readonly string[]): Promise<JWT> {
  const { [CLAIM]: text, [UNPROVEN]: _planted, ...others } = claims;
  const signed = await openFacts(text, claims, secrets);
  if (signed === null) return others;
  const { facts, unproven } = signed;
  return {
    ...others,
    ...(facts === undefined ? {} : { [CLAIM]: facts }),
    ...(unproven === undefined ? {} : { [UNPROVEN]: unproven }),
  };
}

async function openFacts(text: unknown, { sub, iat }: JWT, secrets: readonly string[]): Promise<SignedFacts | null> {
  const [, signedText = "", mac = ""] = /^(v1\.[\w-]+)\.([\w-]+)$/.exec(typeof text === "string" ? text : "") ?? [];
  const bytes = decodeBase64url(mac);
  const json = decodeBase64url(signedText.slice(VERSION.length + 1));
  if (signedText === "" || bytes === null || json === null || !isSubject(sub)) return null;
  for (const secret of secrets) {
    if (!(await crypto.subtle.verify("HMAC", await keyOf(secret), bytes, messageOf(signedText, sub)))) continue;
    // The signed content was created by signFacts.
    const signed = JSON.parse(decoder.decode(json)) as SignedFacts;
    return isOfToken(signed, iat ?? 0) ? signed : null;
  }
  return null;
}

/** The clocks of two servers may differ by a minute. */
const CLOCK_DIFFERENCE = 60;

function isOfToken({ facts, exp }: SignedFacts, iat: number): boolean {
  const at: unknown = Object(facts).at;
  return iat < exp && (typeof at !== "number" || at <= iat + CLOCK_DIFFERENCE);
}

const isSubject = (sub: unknown): sub is string => typeof sub === "string" && sub !== "";

/** The value contains no space, so different pairs give different messages. */
function messageOf(text: string, sub: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`${text} ${sub}`);
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = await hkdf(secret, "", "Cardea facts in a session of Auth.js", 32);
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}
