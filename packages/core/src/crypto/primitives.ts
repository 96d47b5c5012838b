import { type HashEncoding, type NodeCrypto, nodeCrypto } from "./node-crypto.ts";
import { bytesToHex } from "./random-hex.ts";

/** What our formats are made of: random values, SHA-256, base64url and AES-256-GCM, each by the runtime itself where it can do it at once. */

type Bytes = Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();

/** Random bytes from the platform's generator, base64url; 32 bytes are 43 characters (RFC 7636 §7.1). */
export function randomToken(bytes = 32): string {
  return encodeBase64url(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** SHA-256 of a string, base64url, 43 characters; also the PKCE `S256` challenge of a verifier (RFC 7636 §4.2). */
export async function sha256(text: string): Promise<string> {
  return nodeCrypto === null ? encodeBase64url(await webDigest(text)) : nodeDigest(nodeCrypto, text, "base64url");
}

const HASHES = { "256": "SHA-256", "384": "SHA-384", "512": "SHA-512" } as const;

/**
 * The left half of a hash, base64url: `at_hash` and `c_hash` (OIDC Core §3.1.3.6).
 *
 * @param alg the algorithm of the ID token, which determines the hash: `RS256`, `ES384`, …; EdDSA with Ed25519 uses
 *   SHA-512.
 */
export async function leftHalfHash(text: string, alg: string): Promise<string> {
  const bits = alg.slice(-3);
  const hash = bits === "256" || bits === "384" || bits === "512" ? HASHES[bits] : "SHA-512";
  const whole = new Uint8Array(await crypto.subtle.digest(hash, encoder.encode(text)));
  return encodeBase64url(whole.subarray(0, whole.length / 2));
}

/** A random UUID (RFC 9562 §5.4), for record ids; 122 random bits are too few for a secret (ASVS 11.5.1). */
export function randomUuid(): string {
  return crypto.randomUUID();
}

/** SHA-256 of a string, 64 hexadecimal digits. */
export async function sha256Hex(text: string): Promise<string> {
  return nodeCrypto === null ? bytesToHex(await webDigest(text)) : nodeDigest(nodeCrypto, text, "hex");
}

/** Synchronous {@link sha256}; null in a runtime without `node:crypto`. */
export function hashAtOnce(text: string): string | null {
  return nodeCrypto === null ? null : nodeDigest(nodeCrypto, text, "base64url");
}

function nodeDigest(node: NodeCrypto, text: string, encoding: HashEncoding): string {
  return node.hash?.("sha256", text, encoding) ?? node.createHash("sha256").update(text).digest(encoding);
}

async function webDigest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
}

/** The characters of base64url: text that is safe in URLs and cookies, without padding (RFC 4648 §5, RFC 7515 §2). */
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Marks a character outside the alphabet with a bit that no six-bit value has. */
const INVALID = 64;

/** Bits of the last character that do not complete a byte, by the number of characters beyond a multiple of four. */
const LEFT_OVER_MASK = [0, 0, 0b1111, 0b11];

/** By the code of the character. */
const SIX_BITS = sixBitsByCode();

interface Encoder {
  toString(encoding: "base64url"): string;
}

/** The native `Buffer` of Node, Bun and Deno; looked up at run time, so that no bundler adds a copy of it. */
interface NodeBuffer {
  from(text: string, encoding: "base64url"): Bytes & Encoder;
  from(buffer: ArrayBufferLike, offset: number, length: number): Encoder;
}

const nodeBuffer = findNodeBuffer(globalThis);

/** Null in a runtime without it. */
export function findNodeBuffer(realm: object): NodeBuffer | null {
  const found: unknown = Reflect.get(realm, "Buffer");
  if (typeof found !== "function" || typeof Reflect.get(found, "from") !== "function") return null;
  const isEncoding: unknown = Reflect.get(found, "isEncoding");
  // The copies that bundlers add for browsers lack this encoding. A cast: the function was checked above.
  return typeof isEncoding === "function" && isEncoding("base64url") === true ? (found as unknown as NodeBuffer) : null;
}

/** Never throws. */
export function encodeBase64url(bytes: Uint8Array): string {
  if (nodeBuffer === null) return encodePortably(bytes);
  return nodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}

/** {@link encodeBase64url} where there is no `Buffer`. */
export function encodePortably(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * Inverse of {@link encodeBase64url}. Never throws; null for padding, for characters outside the alphabet, for impossible
 * lengths, and for non-zero bits left over at the end, so that each value has one spelling (RFC 4648 §3.5). For a session
 * in several cookies this takes half as long as `atob`, which requires converting the alphabet before and the characters
 * afterwards.
 */
export function decodeBase64url(text: string): Bytes | null {
  if (nodeBuffer === null) return decodePortably(text);
  const bytes = nodeBuffer.from(text, "base64url");
  // `Buffer` also accepts other spellings; only the one that it would write itself is valid here.
  return bytes.toString("base64url") === text ? bytes : null;
}

/** {@link decodeBase64url} where there is no `Buffer`. */
export function decodePortably(text: string): Bytes | null {
  const codes = encoder.encode(text);
  const bytes = new Uint8Array(Math.floor((codes.length * 3) / 4));
  let invalid = codes.length % 4 === 1 ? INVALID : 0;
  let bits = 0;
  let written = 0;
  for (let index = 0; index < codes.length; index += 1) {
    const six = SIX_BITS[codes[index] ?? 0] ?? INVALID;
    invalid |= six;
    bits = (bits << 6) | six;
    // Of four characters, the first completes no byte and the others one each, with 4, 2 and 0 bits left over.
    const place = index % 4;
    if (place > 0) bytes[written++] = bits >> (6 - 2 * place);
  }
  const leftOver = bits & (LEFT_OVER_MASK[codes.length % 4] ?? 0);
  return (invalid & INVALID) === 0 && leftOver === 0 ? bytes : null;
}

function sixBitsByCode(): Uint8Array {
  const table = new Uint8Array(256).fill(INVALID);
  for (const [value, character] of [...ALPHABET].entries()) table[character.charCodeAt(0)] = value;
  return table;
}

/**
 * AES-256-GCM with a 128-bit tag (NIST SP 800-38D). There are two implementations of one interface: `node:crypto`, which is
 * synchronous, if the runtime has it, and otherwise WebCrypto, which uses another thread: decrypting a session token takes 2 µs, and
 * handing it to another thread 10 to 15 µs on an idle machine. Key derivation stays with WebCrypto, once per secret and purpose.
 */

/** Ciphertext and authentication tag. */
export interface Sealed {
  readonly ciphertext: Bytes;
  readonly tag: Bytes;
}

/** An imported key, which cannot be exported again. */
export interface AesKey {
  /** @param data additional authenticated data. */
  seal(text: Bytes, iv: Bytes, data: Bytes): Promise<Sealed> | Sealed;
  /** Null if the tag does not match. Never throws. */
  open(sealed: Sealed, iv: Bytes, data: Bytes): Promise<Bytes | null> | Bytes | null;
}

/** Length in bytes; all callers reject shorter tags. */
const TAG_BYTES = 16;

/** https://v8.dev/docs/stack-trace-api */
const TRACE_LIMIT = "stackTraceLimit";

/** Imports 32 bytes as a key. */
export async function importAesKey(bytes: Bytes): Promise<AesKey> {
  return nodeCrypto === null ? importWebKey(bytes) : importNodeKey(bytes, nodeCrypto);
}

/** The implementation on WebCrypto. */
export async function importWebKey(bytes: Bytes): Promise<AesKey> {
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  return {
    seal: async (text, iv, data) => {
      const sealed = new Uint8Array(
        await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: data }, key, text),
      );
      return { ciphertext: sealed.subarray(0, -TAG_BYTES), tag: sealed.subarray(-TAG_BYTES) };
    },
    open: async ({ ciphertext, tag }, iv, data) => {
      const sealed = new Uint8Array(ciphertext.length + tag.length);
      sealed.set(ciphertext);
      sealed.set(tag, ciphertext.length);
      try {
        return new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv, additionalData: data }, key, sealed));
      } catch {
        return null;
      }
    },
  };
}

/** The implementation on `node:crypto`. */
export function importNodeKey(bytes: Bytes, node: NodeCrypto): AesKey {
  const key = node.createSecretKey(bytes);
  return {
    seal: (text, iv, data) => {
      const cipher = node.createCipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(data);
      // GCM is a stream cipher: `update` returns every byte, `final` none.
      const ciphertext = cipher.update(text);
      cipher.final();
      return { ciphertext, tag: cipher.getAuthTag() };
    },
    open: ({ ciphertext, tag }, iv, data) => {
      if (tag.length !== TAG_BYTES) return null;
      const limit: unknown = Reflect.get(Error, TRACE_LIMIT);
      try {
        // A forgery throws. Capturing the stack trace would take as long as a decryption, and it is never used.
        Reflect.set(Error, TRACE_LIMIT, 0);
        const decipher = node.createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
        decipher.setAAD(data);
        decipher.setAuthTag(tag);
        const text = decipher.update(ciphertext);
        // Throws if the tag does not match; the plaintext must not be used before that.
        decipher.final();
        return text;
      } catch {
        return null;
      } finally {
        Reflect.set(Error, TRACE_LIMIT, limit);
      }
    },
  };
}

/** HMAC with SHA-512 (RFC 2104): 64 bytes that look random and cannot be computed without the key. Synchronous if possible. */
export function hmacOf(key: Bytes, input: Bytes): Promise<Bytes> | Bytes {
  return nodeCrypto === null ? webHmac(key, input) : nodeCrypto.createHmac("sha512", key).update(input).digest();
}

/** {@link hmacOf} for runtimes without `node:crypto`. */
export async function webHmac(key: Bytes, input: Bytes): Promise<Bytes> {
  const algorithm = { name: "HMAC", hash: "SHA-512" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, input));
}

/** {@link hmacOf} for a text, with a secret as key. */
export async function hmac(secret: string, text: string): Promise<Bytes> {
  return hmacOf(encoder.encode(secret), encoder.encode(text));
}
