import { createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { decode } from "@cardea/core/jwt";

/** A secret, with the name of its variable. */
export interface NamedSecret {
  readonly name: string;
  readonly value: string;
}

/** A decrypted cookie. */
export interface OpenedCookie {
  readonly format: "cardea" | "authjs-v5" | "nextauth-v4";
  /** The variable of the secret. */
  readonly secret: string;
  /** The cookie name that the key was derived for; undefined if the format does not use one. */
  readonly salt: string | undefined;
  readonly claims: Readonly<Record<string, unknown>>;
}

const NAMES = {
  cardea: ["__Host-cardea.session-token", "__Secure-cardea.session-token", "cardea.session-token"],
  "authjs-v5": ["__Secure-authjs.session-token", "authjs.session-token", "__Host-authjs.session-token"],
} as const;

/**
 * Tries every format with every secret, locally.
 *
 * @param name Cookie name, tried first; undefined if only the value is known.
 * @returns null if the cookie cannot be decrypted.
 */
export async function openCookie(
  value: string,
  secrets: readonly NamedSecret[],
  name?: string,
): Promise<OpenedCookie | null> {
  const own = name === undefined ? [] : [name];
  for (const secret of secrets) {
    for (const salt of [...own, ...NAMES.cardea]) {
      const claims = await decode({ token: value, secret: secret.value, salt });
      if (claims !== null) return { format: "cardea", secret: secret.name, salt, claims };
    }
    for (const salt of [...own, ...NAMES["authjs-v5"]]) {
      const key = Buffer.from(hkdfSync("sha256", secret.value, salt, `Auth.js Generated Encryption Key (${salt})`, 64));
      const claims = openJwe(value, key);
      if (claims !== null) return { format: "authjs-v5", secret: secret.name, salt, claims };
    }
    const key = Buffer.from(hkdfSync("sha256", secret.value, "", "NextAuth.js Generated Encryption Key", 32));
    const claims = openJwe(value, key);
    if (claims !== null) return { format: "nextauth-v4", secret: secret.name, salt: undefined, claims };
  }
  return null;
}

/**
 * Decrypts a compact JWE with a shared key (RFC 7516 §5.2). The algorithm is determined by the key, not by the header.
 */
function openJwe(token: string, key: Buffer): Readonly<Record<string, unknown>> | null {
  const [header = "", encryptedKey, iv = "", ciphertext = "", tag = "", ...rest] = token.split(".");
  if (encryptedKey !== "" || rest.length > 0 || tag === "") return null;
  const parts = { aad: Buffer.from(header), iv: bytes(iv), ciphertext: bytes(ciphertext), tag: bytes(tag) };
  try {
    const text = key.length === 64 ? openCbc(key, parts) : openGcm(key, parts);
    const claims: unknown = text === null ? null : JSON.parse(text.toString("utf8"));
    return typeof claims === "object" && claims !== null ? { ...claims } : null;
  } catch {
    // Invalid tag or format.
    return null;
  }
}

interface Parts {
  readonly aad: Buffer;
  readonly iv: Buffer;
  readonly ciphertext: Buffer;
  readonly tag: Buffer;
}

const bytes = (text: string): Buffer => Buffer.from(text, "base64url");

/** AES_256_GCM (RFC 7518 §5.3). */
function openGcm(key: Buffer, { aad, iv, ciphertext, tag }: Parts): Buffer {
  const decipher = createDecipheriv("aes-256-gcm", key, iv, { authTagLength: 16 }).setAAD(aad).setAuthTag(tag);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

/** AES_256_CBC_HMAC_SHA_512 (RFC 7518 §5.2.5): the first half of the key authenticates, the second encrypts. */
function openCbc(key: Buffer, { aad, iv, ciphertext, tag }: Parts): Buffer | null {
  const length = Buffer.alloc(8);
  length.writeBigUInt64BE(BigInt(aad.length * 8));
  const expected = createHmac("sha512", key.subarray(0, 32))
    .update(Buffer.concat([aad, iv, ciphertext, length]))
    .digest()
    .subarray(0, 32);
  if (tag.length !== expected.length || !timingSafeEqual(tag, expected)) return null;
  const decipher = createDecipheriv("aes-256-cbc", key.subarray(32), iv);
  return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
}

/** Parses a cookie: its value, `name=value`, or a `Cookie` header with chunks. */
export function parseCookie(text: string): { readonly name: string | undefined; readonly value: string } {
  const trimmed = text.trim().replace(/^cookie:\s*/i, "");
  const pairs = trimmed.split(/;\s*/).flatMap((pair) => {
    const [, name, value] = /^([^=\s]*session-token(?:\.\d+)?|[\w.-]+)=(.*)$/.exec(pair) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value] as const];
  });
  const chosen = pairs.filter(([name]) => /session-token/.test(name));
  const parts = chosen.length > 0 ? chosen : pairs.slice(0, 1);
  const [first] = parts;
  if (first === undefined) return { name: undefined, value: trimmed };
  const numbered = [...parts].sort(
    ([a], [b]) => Number(/\.(\d+)$/.exec(a)?.[1] ?? 0) - Number(/\.(\d+)$/.exec(b)?.[1] ?? 0),
  );
  return { name: first[0].replace(/\.\d+$/, ""), value: numbered.map(([, value]) => value).join("") };
}
