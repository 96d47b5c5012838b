/**
 * The used parts of `node:crypto`, which is looked up at run time, so that bundles for other runtimes do not import it. Node, Bun
 * and Deno have it. If one of the functions is missing, it counts as absent. A static import would break those bundles, and an
 * export condition fails at run time where a bundler chooses the wrong one.
 */

type Bytes = Uint8Array<ArrayBuffer>;

interface Cipher {
  setAAD(data: Bytes): unknown;
  update(bytes: Bytes): Bytes;
  final(): Bytes;
}

/** Encoding of a hash. */
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
  /** One-shot hash, which takes half as long; Node.js 20.12 and later. */
  hash?(name: "sha256", text: string, encoding: HashEncoding): string;
}

const FUNCTIONS = ["createSecretKey", "createCipheriv", "createDecipheriv", "createHash", "createHmac"] as const;

/** Null in a runtime without it. */
export const nodeCrypto: NodeCrypto | null = findNodeCrypto(globalThis);

/** Looks it up in a global object. Never throws. */
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
