import fc from "fast-check";
import { CompactEncrypt, compactDecrypt } from "jose";
import { describe, expect, it } from "vitest";
import { deriveKey } from "../../test/harness/forge.ts";
import { cacheSecrets, decryptText, deriveDirectKey, encryptText, isSealedWith } from "./direct-jwe.ts";
import { encodeBase64url } from "./primitives.ts";

const SECRET = "a secret of more than thirty-two bytes for tests";
const key = await deriveDirectKey(SECRET, "session", "cardea.session-token");
/** The same key, for jose. */
const { key: bytes } = deriveKey(SECRET, "session", "cardea.session-token", "A256GCM");
const otherKey = await deriveDirectKey(SECRET, "session", "another-name");

/** A sealed text, cut into its five parts, with some of them replaced. */
async function sealedWith(change: (parts: string[]) => void): Promise<string> {
  const parts = (await encryptText('{"sub":"7"}', key)).split(".");
  change(parts);
  return parts.join(".");
}

describe("encryptText()", () => {
  it("writes what jose opens, with alg, enc and kid in the header and nothing else", async () => {
    const { plaintext, protectedHeader } = await compactDecrypt(await encryptText("é", key), bytes);
    expect(new TextDecoder().decode(plaintext)).toBe("é");
    expect(protectedHeader).toEqual({ alg: "dir", enc: "A256GCM", kid: key.kid });
  });

  it("takes a new nonce each time", async () => {
    const tokens = await Promise.all(Array.from({ length: 50 }, () => encryptText("", key)));
    expect(new Set(tokens.map((token) => token.split(".")[2])).size).toBe(50);
  });
});

describe("decryptText()", () => {
  it("is the inverse of sealText()", async () => {
    const text = fc.string({ unit: "grapheme", maxLength: 500 });
    await fc.assert(
      fc.asyncProperty(text, async (given) => (await decryptText(await encryptText(given, key), key)) === given),
    );
  });

  it("opens what jose writes with the same header", async () => {
    const token = await new CompactEncrypt(new TextEncoder().encode("from jose"))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: key.kid })
      .encrypt(bytes);
    expect(isSealedWith(token, key)).toBe(true);
    expect(await decryptText(token, key)).toBe("from jose");
  });

  it("refuses what another key sealed, under its own header or ours", async () => {
    const token = await encryptText("text", otherKey);
    expect(await decryptText(token, key)).toBeNull();
    expect(await decryptText(token.replace(otherKey.header, key.header), key)).toBeNull();
  });

  it.each([...["header", "encrypted key", "nonce", "ciphertext", "tag"].entries()])(
    "refuses a token whose part %i, the %s, was changed",
    async (index) => {
      const flip = (part = "") => (part.startsWith("A") ? `B${part.slice(1)}` : `A${part.slice(1)}`);
      const token = await sealedWith((parts) => {
        parts[index] = flip(parts[index]);
      });
      expect(await decryptText(token, key)).toBeNull();
    },
  );

  it.each(["", "A", "AAAA"])("refuses %j as tag, nonce or encrypted key", async (short) => {
    for (const index of short === "" ? [2, 4] : [1, 2, 4]) {
      const token = await sealedWith((parts) => {
        parts[index] = short;
      });
      expect(await decryptText(token, key)).toBeNull();
    }
  });

  it("refuses a tag of 15 bytes and one of 17, a nonce of 11 bytes and one of 13", async () => {
    for (const [index, size] of [
      [4, 15],
      [4, 17],
      [2, 11],
      [2, 13],
    ] as const) {
      const token = await sealedWith((parts) => {
        parts[index] = encodeBase64url(new Uint8Array(size));
      });
      expect(await decryptText(token, key)).toBeNull();
    }
  });

  it("refuses fewer than five parts, and more", async () => {
    const token = await encryptText("text", key);
    expect(await decryptText(`${token}.`, key)).toBeNull();
    expect(await decryptText(token.slice(0, token.lastIndexOf(".")), key)).toBeNull();
    expect(await decryptText(key.header, key)).toBeNull();
    expect(await decryptText("", key)).toBeNull();
  });

  it("refuses what is not UTF-8", async () => {
    const token = await new CompactEncrypt(Uint8Array.of(0xff))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid: key.kid })
      .encrypt(bytes);
    expect(await decryptText(token, key)).toBeNull();
  });
});

describe("isSealedWith()", () => {
  it("compares the whole header, not its beginning", async () => {
    const token = await encryptText("text", key);
    expect(isSealedWith(token, key)).toBe(true);
    expect(isSealedWith(token.replace(key.header, `${key.header}A`), key)).toBe(false);
    expect(isSealedWith(token.slice(1), key)).toBe(false);
    expect(isSealedWith(token, otherKey)).toBe(false);
  });
});

describe("cacheSecrets()", () => {
  it("makes room for the keys of more secrets than by default", async () => {
    cacheSecrets(2_200);
    // Less is no change: another application of the process needs them.
    cacheSecrets(1);
    const secrets = Array.from({ length: 2_200 }, (_, n) => `secret ${n}`);
    const derive = (secret: string) => deriveDirectKey(secret, "session", "cardea.session-token");
    const keys = await Promise.all(secrets.map(derive));
    const again = await Promise.all(secrets.map(derive));
    expect(again.filter((one, n) => one !== keys[n])).toEqual([]);
  });
});
