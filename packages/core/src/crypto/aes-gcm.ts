import { type NodeCrypto, nodeCrypto } from "./node-crypto.ts";

/**
 * AES-256-GCM with a 128-bit tag (NIST SP 800-38D), in one of two implementations of the same interface: `node:crypto` where the
 * runtime has it, which answers at once, and WebCrypto anywhere else, which answers from another thread (decisions/031).
 */

type Bytes = Uint8Array<ArrayBuffer>;

/** Ciphertext and authentication tag. */
export interface Sealed {
  readonly ciphertext: Bytes;
  readonly tag: Bytes;
}

/** An imported key, which cannot be exported again. */
export interface AesKey {
  /** @param data additional authenticated data. */
  seal(text: Bytes, iv: Bytes, data: Bytes): Promise<Sealed> | Sealed;
  /** Null when the tag does not fit. Never throws. */
  open(sealed: Sealed, iv: Bytes, data: Bytes): Promise<Bytes | null> | Bytes | null;
}

/** Bytes; shorter tags are refused by anyone who calls. */
const TAG_BYTES = 16;

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
      // GCM is a stream: `update` gives every byte, `final` none.
      const ciphertext = cipher.update(text);
      cipher.final();
      return { ciphertext, tag: cipher.getAuthTag() };
    },
    open: ({ ciphertext, tag }, iv, data) => {
      if (tag.length !== TAG_BYTES) return null;
      try {
        const decipher = node.createDecipheriv("aes-256-gcm", key, iv, { authTagLength: TAG_BYTES });
        decipher.setAAD(data);
        decipher.setAuthTag(tag);
        const text = decipher.update(ciphertext);
        // Throws when the tag does not fit; until then nothing may be believed.
        decipher.final();
        return text;
      } catch {
        return null;
      }
    },
  };
}
