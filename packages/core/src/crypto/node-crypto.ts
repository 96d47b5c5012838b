/**
 * The parts of `node:crypto` that are used, found without importing it, so that a bundle for a runtime without it does not mention
 * it. Node, Bun and Deno have it; a runtime whose copy lacks one of the functions counts as one without (decisions/031).
 */

type Bytes = Uint8Array<ArrayBuffer>;

interface Cipher {
  setAAD(data: Bytes): unknown;
  update(bytes: Bytes): Bytes;
  final(): Bytes;
}

/** How a hash is written. */
export type HashEncoding = "base64url" | "hex";

type KeyObject = { readonly type: "secret" };
type Options = { readonly authTagLength: number };

/** See https://nodejs.org/api/crypto.html. */
export interface NodeCrypto {
  createSecretKey(bytes: Bytes): KeyObject;
  createCipheriv(name: "aes-256-gcm", key: KeyObject, iv: Bytes, options: Options): Cipher & { getAuthTag(): Bytes };
  createDecipheriv(
    name: "aes-256-gcm",
    key: KeyObject,
    iv: Bytes,
    options: Options,
  ): Cipher & { setAuthTag(tag: Bytes): unknown };
  createHmac(name: "sha512", key: Bytes): { update(bytes: Bytes): { digest(): Bytes } };
  createHash(name: "sha256"): { update(text: string): { digest(encoding: HashEncoding): string } };
  /** In one call, which takes half as long; Node.js 20.12 and later. */
  hash?(name: "sha256", text: string, encoding: HashEncoding): string;
}

const FUNCTIONS = ["createSecretKey", "createCipheriv", "createDecipheriv", "createHash", "createHmac"] as const;

/** Null in a runtime without it. */
export const nodeCrypto: NodeCrypto | null = findNodeCrypto(globalThis);

/** Looks for it below a global object, without throwing. */
export function findNodeCrypto(realm: object): NodeCrypto | null {
  try {
    const process: unknown = Reflect.get(realm, "process");
    const load: unknown = isObject(process) ? Reflect.get(process, "getBuiltinModule") : undefined;
    const found: unknown = typeof load === "function" ? load.call(process, "node:crypto") : undefined;
    return isNodeCrypto(found) ? found : null;
  } catch {
    return null;
  }
}

function isNodeCrypto(found: unknown): found is NodeCrypto {
  return isObject(found) && FUNCTIONS.every((name) => typeof Reflect.get(found, name) === "function");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
