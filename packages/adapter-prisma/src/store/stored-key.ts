/**
 * Keys that every database distinguishes, regardless of collation: no letters that differ only in case, no trailing
 * spaces.
 */
const plain = /^(?!log:)[a-z0-9:_./-]{1,150}$/;

/** The stored form of a key: unchanged if every database distinguishes it, otherwise its SHA-256. */
export async function storedKey(key: string): Promise<string> {
  if (typeof key !== "string") throw new TypeError(`A store key must be a string, not ${typeof key}.`);
  return plain.test(key) ? key : `#${await sha256(key)}`;
}

/** SHA-256 of a text, in hexadecimal. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
