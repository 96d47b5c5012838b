import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codePoint } from "../../../testing/src/arbitrary-text.ts";
import { findNodeCrypto, nodeCrypto } from "./node-crypto.ts";
import * as native from "./primitives.ts";
import {
  type AesKey,
  findNodeBuffer,
  hmac,
  importNodeKey,
  importWebKey,
  leftHalfHash,
  randomToken,
  type Sealed,
  sha256,
  sha256Hex,
  webHmac,
} from "./primitives.ts";
import { randomHex } from "./random-hex.ts";

describe("randomToken()", () => {
  it("H159 has 43 characters of base64url for 32 bytes, and never repeats in 10 000 sign-ins with three each", () => {
    const tokens = Array.from({ length: 30_000 }, () => randomToken());
    expect(tokens.filter((token) => !/^[\w-]{43}$/.test(token))).toEqual([]);
    expect(new Set(tokens).size).toBe(30_000);
  });

  it("H159 uses every bit: each position holds each of 64 characters, the last the 16 that 256 bits leave", () => {
    const columns = Array.from({ length: 43 }, () => new Set<string>());
    for (let n = 0; n < 5_000; n++) for (const [at, char] of [...randomToken()].entries()) columns[at]?.add(char);
    expect(columns.map(({ size }) => size)).toEqual([...Array(42).fill(64), 16]);
  });

  it.each([
    [1, 2],
    [16, 22],
    [32, 43],
  ])("writes %i bytes as %i characters", (bytes, length) => {
    expect(randomToken(bytes)).toHaveLength(length);
  });
});

describe("randomHex()", () => {
  it("has 64 digits, and uses every one of them in every place", () => {
    const values = Array.from({ length: 1_000 }, randomHex);
    expect(new Set(values).size).toBe(1_000);
    for (let place = 0; place < 64; place++) {
      expect(new Set(values.map((value) => value[place])).size).toBe(16);
    }
    for (const value of values) expect(value).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("sha256()", () => {
  it("is the PKCE challenge of RFC 7636 appendix B", async () => {
    const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
    expect(await sha256(verifier)).toBe("E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
  });

  it("agrees with Node for any text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: "grapheme" }), async (text) => {
        expect(await sha256(text)).toBe(createHash("sha256").update(text).digest("base64url"));
        expect(await sha256Hex(text)).toBe(createHash("sha256").update(text).digest("hex"));
      }),
      { numRuns: 50 },
    );
  });
});

describe("leftHalfHash()", () => {
  it.each([
    ["RS256", "sha256"],
    ["ES384", "sha384"],
    ["PS512", "sha512"],
    ["EdDSA", "sha512"],
    ["Ed25519", "sha512"],
  ])("H144 for %s it is half of %s (OIDC Core §3.1.3.6)", async (alg, hash) => {
    const digest = createHash(hash).update("access token").digest();
    expect(await leftHalfHash("access token", alg)).toBe(digest.subarray(0, digest.length / 2).toString("base64url"));
  });
});

const implementations = [
  ["native", native.encodeBase64url, native.decodeBase64url],
  ["portable", native.encodePortably, native.decodePortably],
] as const;

const bytes = () => fc.uint8Array({ maxLength: 200 });

describe.each(implementations)("%s", (_, encodeBase64url, decodeBase64url) => {
  const encoded = (text: string) => {
    const given = decodeBase64url(text);
    return given === null ? null : encodeBase64url(given);
  };

  describe("encodeBase64url()", () => {
    it("writes what Node's own encoder writes", () => {
      fc.assert(fc.property(bytes(), (given) => encodeBase64url(given) === Buffer.from(given).toString("base64url")));
    });

    it("takes more bytes than a call takes arguments", () => {
      expect(encodeBase64url(new Uint8Array(300_000))).toHaveLength(400_000);
    });
  });

  describe("decodeBase64url()", () => {
    it("is the inverse of encodeBase64url()", () => {
      fc.assert(
        fc.property(bytes(), (given) => {
          expect(decodeBase64url(encodeBase64url(given))).toSatisfy(
            (read) => read !== null && Buffer.compare(read, given) === 0,
          );
        }),
      );
    });

    it.each(["AA==", "A+AA", "A/AA", "AA A", "AA\nA", "AAé", "AA\u{1f600}", "AA\u0000A"])("refuses %j", (text) => {
      expect(decodeBase64url(text)).toBeNull();
    });

    it.each(["A", "AAAAA"])("refuses %j, a length that no bytes have", (text) => {
      expect(decodeBase64url(text)).toBeNull();
    });

    it.each(["AB", "AP", "AAB", "AAD", "AAAAAB"])("refuses %j, whose last bits belong to no byte", (text) => {
      expect(decodeBase64url(text)).toBeNull();
    });

    it("knows one spelling of any bytes", () => {
      const text = fc.stringMatching(/^[\w-]{0,12}$/);
      fc.assert(fc.property(text, (spelling) => [null, spelling].includes(encoded(spelling))));
    });

    it("never throws", () => {
      fc.assert(fc.property(fc.string({ unit: codePoint }), (text) => decodeBase64url(text) !== undefined));
    });
  });
});

describe("findNodeBuffer()", () => {
  it("finds it here, and the text is the same with it and without", () => {
    expect(findNodeBuffer(globalThis)).toBe(Buffer);
    const text = fc.oneof(fc.base64String(), fc.stringMatching(/^[\w-]{0,12}$/), fc.string());
    const read = (decode: typeof native.decodeBase64url, given: string) => decode(given)?.join();
    fc.assert(fc.property(text, (given) => read(native.decodeBase64url, given) === read(native.decodePortably, given)));
  });

  it.each([
    ["none", {}],
    ["one that is not a class", { Buffer: {} }],
    [
      "one without the encoding",
      { Buffer: Object.assign(() => undefined, { from: () => undefined, isEncoding: () => false }) },
    ],
  ])("is null in a runtime with %s", (_, realm) => {
    expect(findNodeBuffer(realm)).toBeNull();
  });
});

if (nodeCrypto === null) throw new Error("these tests need node:crypto");
const keyBytes = crypto.getRandomValues(new Uint8Array(32));
const keys: Record<string, AesKey> = { web: await importWebKey(keyBytes), node: importNodeKey(keyBytes, nodeCrypto) };
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

describe("hmac()", () => {
  it.each([
    ["Jefe", "what do ya want for nothing?"],
    [
      "a secret that is longer than one block of the hash, which is one hundred and twenty-eight bytes, so that it is hashed first, itself",
      "é",
    ],
  ])("is HMAC-SHA-512 (RFC 4231): %s", async (secret, text) => {
    const expected = createHmac("sha512", secret).update(text).digest("hex");
    const encoder = new TextEncoder();
    const made = [await hmac(secret, text), await webHmac(encoder.encode(secret), encoder.encode(text))];
    for (const bytes of made) expect(Buffer.from(bytes).toString("hex")).toBe(expected);
  });
});
