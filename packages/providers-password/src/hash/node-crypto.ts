type NodeCrypto = typeof import("node:crypto");

/**
 * Returns `node:crypto` without importing it, so that bundles for other runtimes do not reference it.
 *
 * @throws Error in a runtime without it.
 */
export function nodeCrypto(): NodeCrypto {
  const process: unknown = Reflect.get(globalThis, "process");
  const load: unknown = isObject(process) ? Reflect.get(process, "getBuiltinModule") : undefined;
  const found: unknown = typeof load === "function" ? load.call(process, "node:crypto") : undefined;
  if (isNodeCrypto(found)) return found;
  throw new Error(
    "Hashing passwords requires `node:crypto`. Use Node.js, Bun or Deno; in Cloudflare Workers, enable `nodejs_compat`.",
  );
}

function isNodeCrypto(found: unknown): found is NodeCrypto {
  return isObject(found) && typeof Reflect.get(found, "scrypt") === "function";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Compares two byte arrays in constant time. */
export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && nodeCrypto().timingSafeEqual(one, other);
}
