type NodeCrypto = typeof import("node:crypto");

/**
 * `node:crypto`, found without importing it, so that a bundle for another runtime does not mention it.
 *
 * @throws Error in a runtime without it.
 */
export function nodeCrypto(): NodeCrypto {
  const process: unknown = Reflect.get(globalThis, "process");
  const load: unknown = isObject(process) ? Reflect.get(process, "getBuiltinModule") : undefined;
  const found: unknown = typeof load === "function" ? load.call(process, "node:crypto") : undefined;
  if (isNodeCrypto(found)) return found;
  throw new Error(
    "Hashing passwords needs `node:crypto`. Run in Node, Bun or Deno; in Workers, turn `nodejs_compat` on.",
  );
}

function isNodeCrypto(found: unknown): found is NodeCrypto {
  return isObject(found) && typeof Reflect.get(found, "scrypt") === "function";
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Whether two byte strings are the same, in a time that does not depend on where they differ. */
export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.byteLength === other.byteLength && nodeCrypto().timingSafeEqual(one, other);
}
