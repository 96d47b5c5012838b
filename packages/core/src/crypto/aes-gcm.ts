import { type NodeCrypto, nodeCrypto } from "./node-crypto.ts";

/**
 * AES-256-GCM with a 128-bit tag (NIST SP 800-38D). There are two implementations of one interface: `node:crypto`, which is
 * synchronous, if the runtime has it, and otherwise WebCrypto, which uses another thread (decisions/031).
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
