import fc from "fast-check";
import { CompactEncrypt } from "jose";
import { describe, expect, it, vi } from "vitest";
import { codePoint } from "../../../testing/src/arbitrary-text.ts";
import { type ContentEncryption, deriveKey } from "../../test/harness/forge.ts";
import { decryptAuthjsText } from "./authjs-jwe.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const NEW = "a new secret of more than thirty-two bytes";
const OLD = "an old secret of more than thirty-two bytes";
const KEYS = { secrets: [NEW, OLD], purpose: "session", salt: "salt" } as const;

interface Forgery {
  readonly secret?: string;
  readonly enc?: ContentEncryption;
  readonly header?: Readonly<Record<string, unknown>>;
}

async function seal({ secret = NEW, enc = "A256GCM", header = {} }: Forgery = {}): Promise<string> {
  const { key } = deriveKey(secret, "session", "salt", enc);
  const all = { alg: "dir", enc, ...header };
  return new CompactEncrypt(new TextEncoder().encode("text")).setProtectedHeader(all).encrypt(key);
}

function kidOf(secret: string, enc: ContentEncryption = "A256GCM"): string {
  return deriveKey(secret, "session", "salt", enc).kid;
}

/** A token with another header over the same ciphertext: anyone who believes the header derives a key for it. */
function withHeader(token: string, header: object): string {
  return [Buffer.from(JSON.stringify(header)).toString("base64url"), ...token.split(".").slice(1)].join(".");
}

describe("decryptAuthjsText()", () => {
  it.each(["A256GCM", "A256CBC-HS512"] as const)("rule 1: opens %s", async (enc) => {
    expect(await decryptAuthjsText(await seal({ enc }), KEYS)).toBe("text");
  });

  it.each([
    { alg: "A256KW", enc: "A256GCM" },
    { alg: "PBES2-HS512+A256KW", enc: "A256GCM", p2c: 2 ** 31 - 1, p2s: "c2FsdHNhbHQ" },
    { alg: "RSA-OAEP", enc: "A256GCM" },
    { alg: "ECDH-ES", enc: "A256GCM", epk: {} },
    { alg: "none", enc: "A256GCM" },
    { alg: "dir", enc: "A128GCM" },
    { alg: "dir", enc: "A128CBC-HS256" },
    { alg: "dir", enc: "none" },
    { alg: "dir" },
    { enc: "A256GCM" },
    { alg: "dir", enc: "A256GCM", zip: "DEF" },
    { alg: "dir", enc: "A256GCM", crit: ["exp"], exp: 1 },
    { alg: ["dir"], enc: ["A256GCM"] },
  ])("rule 1: looks no further at %o, and derives no key for it", async (header) => {
    const token = withHeader(await seal(), header);
    const derive = vi.spyOn(crypto.subtle, "deriveBits");
    // A salt that no other test uses, so that nothing is known of its keys.
    expect(await decryptAuthjsText(token, { ...KEYS, salt: `unknown ${JSON.stringify(header)}` })).toBe(null);
    if (!("crit" in header) && !("zip" in header)) expect(derive).not.toHaveBeenCalled();
    derive.mockRestore();
  });

  it.each([
    { typ: "at+jwt" },
    { typ: "logout+jwt" },
    { typ: "application/jwt" },
    { typ: "" },
    { typ: 7 },
    { cty: "JWT" },
    { cty: "" },
    { jku: "https://evil.example/keys" },
    { jwk: {} },
    { x5u: "https://evil.example" },
    { iss: "https://evil.example" },
    { epk: {} },
    { p2c: 1 },
    { iat: 1 },
    { kid: 7 },
    { kid: null },
    { typ: null },
  ])("rule 2: opens nothing whose header has %o, though the key fits", async (header) => {
    expect(await decryptAuthjsText(await seal({ header }), KEYS)).toBe(null);
    const named = { kid: kidOf(NEW), ...header };
    expect(await decryptAuthjsText(await seal({ header: named }), KEYS)).toBe(null);
  });

  it.each(["JWT", "jwt"])("rule 2: opens a token of type %s", async (typ) => {
    expect(await decryptAuthjsText(await seal({ header: { typ } }), KEYS)).toBe("text");
  });

  it.each([NEW, OLD])("rule 3: the key id names the key of %s", async (secret) => {
    expect(await decryptAuthjsText(await seal({ secret, header: { kid: kidOf(secret) } }), KEYS)).toBe("text");
  });

  it("rule 3: a key id that names no key, or the wrong one, opens nothing", async () => {
    for (const kid of ["x", "", kidOf(OLD), kidOf(NEW, "A256CBC-HS512")]) {
      expect(await decryptAuthjsText(await seal({ secret: NEW, header: { kid } }), KEYS)).toBe(null);
    }
  });

  it.each([NEW, OLD])("rule 3: without a key id every secret is tried: %s", async (secret) => {
    expect(await decryptAuthjsText(await seal({ secret }), KEYS)).toBe("text");
    expect(await decryptAuthjsText(await seal({ secret: `${secret}x` }), KEYS)).toBe(null);
  });

  it.each(["", ".", "....", "a.b.c.d.e", "e30....", "null", "\u0000"])("never throws: %j", async (token) => {
    expect(await decryptAuthjsText(token, KEYS)).toBe(null);
  });

  it("refuses what is not UTF-8", async () => {
    const { key } = deriveKey(NEW, "session", "salt", "A256GCM");
    const token = await new CompactEncrypt(new Uint8Array([0xff, 0xfe]))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .encrypt(key);
    expect(await decryptAuthjsText(token, KEYS)).toBe(null);
  });

  it.each(["A256GCM", "A256CBC-HS512"] as const)(
    "opens what jose encrypted with %s, and nothing that was changed",
    async (enc) => {
      const { key } = deriveKey(NEW, "session", "salt", enc);
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: codePoint, maxLength: 80 }), fc.nat(), fc.nat(), async (text, place, by) => {
          const plain = new TextEncoder().encode(text);
          const sealed = await new CompactEncrypt(plain).setProtectedHeader({ alg: "dir", enc }).encrypt(key);
          expect(await decryptAuthjsText(sealed, KEYS)).toBe(new TextDecoder().decode(plain));
          const index = place % sealed.length;
          const changed = ALPHABET[(ALPHABET.indexOf(sealed[index] ?? "") + 1 + (by % 63)) % 64];
          const forged = `${sealed.slice(0, index)}${changed}${sealed.slice(index + 1)}`;
          expect(await decryptAuthjsText(forged, KEYS)).toBe(null);
          expect(await decryptAuthjsText(sealed.slice(0, index), KEYS)).toBe(null);
        }),
        { numRuns: 60 },
      );
    },
  );

  it.each(["A256GCM", "A256CBC-HS512"] as const)("rule 2 of decryption: no shorter tag or nonce of %s", async (enc) => {
    const [header, key, iv = "", text, tag = ""] = (await seal({ enc })).split(".");
    const shorter = (part: string) => Buffer.from(part, "base64url").subarray(0, -1).toString("base64url");
    expect(await decryptAuthjsText([header, key, shorter(iv), text, tag].join("."), KEYS)).toBe(null);
    expect(await decryptAuthjsText([header, key, iv, text, shorter(tag)].join("."), KEYS)).toBe(null);
    expect(await decryptAuthjsText([header, "AA", iv, text, tag].join("."), KEYS)).toBe(null);
    expect(await decryptAuthjsText([header, key, iv, text, tag, ""].join("."), KEYS)).toBe(null);
  });
});
