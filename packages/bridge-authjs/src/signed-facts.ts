import type { JWT } from "@cardea/core/extend";
import { decodeBase64url, encodeBase64url } from "./base64url.ts";
import { hkdf } from "./derive-key.ts";

/**
 * What Cardea knows of a session, in a token that another library may write as well: `v1.<base64url JSON>.<HMAC-SHA-256>`. Callbacks of the
 * other library often copy what the browser sends into the token. They can drop this text or put an earlier one of the same user back, and
 * cannot make one.
 */
const VERSION = "v1";

/** The claims that only Cardea may set. */
const CLAIM = "cardea";
const UNPROVEN = "unproven";

/** 400 days: browsers keep no cookie longer (RFC 6265bis §5.6.2). */
const MAX_LIFETIME = 400 * 24 * 60 * 60;

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

/** What is signed. */
interface SignedFacts {
  readonly facts?: unknown;
  /** The address that its user has not proven. */
  readonly unproven?: unknown;
  /** When the text ends. The other library renews a session without making a new text. */
  readonly exp: number;
}

/** Replaces the claims that only Cardea may set by their signed text. */
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
 * Inverse of {@link signFacts}. Claims without a valid text have no facts: no factor, no step-up.
 *
 * 1. The text is whole, and its HMAC is that of one of the secrets, of this text and of the token's `sub`.
 * 2. It has not ended.
 * 3. The session of the facts did not begin after the token was made.
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
    // What was signed was made by signFacts.
    const signed = JSON.parse(decoder.decode(json)) as SignedFacts;
    return isOfToken(signed, iat ?? 0) ? signed : null;
  }
  return null;
}

/** Clocks of two servers may differ by a minute. */
const CLOCK_DIFFERENCE = 60;

function isOfToken({ facts, exp }: SignedFacts, iat: number): boolean {
  const at: unknown = Object(facts).at;
  return iat < exp && (typeof at !== "number" || at <= iat + CLOCK_DIFFERENCE);
}

const isSubject = (sub: unknown): sub is string => typeof sub === "string" && sub !== "";

/** The text has no space, so no two pairs give the same message. */
function messageOf(text: string, sub: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(`${text} ${sub}`);
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = await hkdf(secret, "", "Cardea facts in a session of Auth.js", 32);
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign", "verify"]);
}
