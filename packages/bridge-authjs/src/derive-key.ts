import type { DirectJweKey } from "@cardea/extend";
import { encodeBase64url } from "./base64url.ts";
import { FORMATS, type FormerVersion } from "./formats.ts";

/** More than any application needs; reached only if secrets or names depend on requests. */
const MAX_CACHED_KEYS = 64;

const cached = new Map<string, Promise<DirectJweKey>>();
const encoder = new TextEncoder();

/**
 * Derives the key of a version (HKDF with SHA-256, RFC 5869).
 *
 * @param name Cookie name, including its prefix.
 */
export function deriveKey(version: FormerVersion, secret: string, name: string): Promise<DirectJweKey> {
  const use = JSON.stringify([version, secret, name]);
  const known = cached.get(use);
  if (known !== undefined) return known;
  const [oldest] = cached.size >= MAX_CACHED_KEYS ? cached.keys() : [];
  if (oldest !== undefined) cached.delete(oldest);
  const derived = derive(version, secret, name);
  cached.set(use, derived);
  return derived;
}

async function derive(version: FormerVersion, secret: string, name: string): Promise<DirectJweKey> {
  const { enc, keyBytes, saltOf, infoOf, namesKey } = FORMATS[version];
  const bytes = await hkdf(secret, saltOf(name), infoOf(name), keyBytes);
  return { bytes, enc, kid: namesKey ? await thumbprint(bytes) : undefined };
}

/** HKDF-SHA-256 of a secret. */
export async function hkdf(
  secret: string,
  salt: string,
  info: string,
  length: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const material = await crypto.subtle.importKey("raw", encoder.encode(secret), "HKDF", false, ["deriveBits"]);
  const params = { name: "HKDF", hash: "SHA-256", salt: encoder.encode(salt), info: encoder.encode(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(params, material, length * 8));
}

/** RFC 7638 §3.2, with SHA-512 as in Auth.js: the required members in alphabetical order, without whitespace. */
async function thumbprint(bytes: Uint8Array): Promise<string> {
  const members = encoder.encode(JSON.stringify({ k: encodeBase64url(bytes), kty: "oct" }));
  return encodeBase64url(new Uint8Array(await crypto.subtle.digest("SHA-512", members)));
}
