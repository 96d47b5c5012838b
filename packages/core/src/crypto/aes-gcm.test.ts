import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AesKey, importNodeKey, importWebKey, type Sealed } from "./aes-gcm.ts";
import { findNodeCrypto, nodeCrypto } from "./node-crypto.ts";

if (nodeCrypto === null) throw new Error("these tests need node:crypto");
const bytes = crypto.getRandomValues(new Uint8Array(32));
const keys: Record<string, AesKey> = { web: await importWebKey(bytes), node: importNodeKey(bytes, nodeCrypto) };
const iv = crypto.getRandomValues(new Uint8Array(12));
const data = new TextEncoder().encode("header");
const given = fc.uint8Array({ maxLength: 300 }).map((value) => new Uint8Array(value));

const pairs = [
  ["web", "web"],
  ["web", "node"],
  ["node", "web"],
  ["node", "node"],
] as const;

const keyOf = (name: string) => keys[name] ?? expect.fail();
const flipped = (value: Uint8Array) => Uint8Array.from(value, (byte, index) => (index === 0 ? byte ^ 1 : byte));

describe.each(pairs)("sealed by %s, opened by %s", (sealer, opener) => {
  const seal = (text: Uint8Array<ArrayBuffer>) => keyOf(sealer).seal(text, iv, data);
  const open = (sealed: Sealed, nonce = iv, bound = data) => keyOf(opener).open(sealed, nonce, bound);

  it("is the same text", async () => {
    await fc.assert(
      fc.asyncProperty(given, async (text) => {
        expect([...((await open(await seal(text))) ?? [])]).toEqual([...text]);
      }),
    );
  });

  it("is nothing when ciphertext, tag, nonce or data differ in one bit", async () => {
    const sealed = await seal(new Uint8Array(40));
    expect(await open({ ...sealed, ciphertext: flipped(sealed.ciphertext) })).toBeNull();
    expect(await open({ ...sealed, tag: flipped(sealed.tag) })).toBeNull();
    expect(await open(sealed, flipped(iv))).toBeNull();
    expect(await open(sealed, iv, flipped(data))).toBeNull();
  });

  it.each([0, 4, 12, 15, 17])("is nothing with a tag of %i bytes", async (length) => {
    const sealed = await seal(new Uint8Array(40));
    const tag = new Uint8Array(length);
    tag.set(sealed.tag.subarray(0, length));
    expect(await open({ ...sealed, tag })).toBeNull();
  });
});

describe("importNodeKey()", () => {
  it("writes what importWebKey() writes, byte for byte", async () => {
    await fc.assert(
      fc.asyncProperty(given, async (text) => {
        const [web, node] = await Promise.all([keyOf("web").seal(text, iv, data), keyOf("node").seal(text, iv, data)]);
        expect([[...node.ciphertext], [...node.tag]]).toEqual([[...web.ciphertext], [...web.tag]]);
      }),
    );
  });
});

describe("findNodeCrypto()", () => {
  it("finds it here", () => {
    expect(findNodeCrypto(globalThis)).toBe(nodeCrypto);
  });

  const throwing = () => {
    throw new Error("not supported");
  };

  it.each([
    ["no process", {}],
    ["a process without modules", { process: {} }],
    ["a process that is not an object", { process: "browser" }],
    ["no such module", { process: { getBuiltinModule: () => undefined } }],
    ["a module that lacks a function", { process: { getBuiltinModule: () => ({ createHash: () => undefined }) } }],
    ["a process that throws", { process: { getBuiltinModule: throwing } }],
  ])("is null in a runtime with %s", (_, realm) => {
    expect(findNodeCrypto(realm)).toBeNull();
  });
});
