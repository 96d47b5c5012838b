/** What every database keeps apart, whatever its collation: no letters that differ in case only, no spaces at the end. */
const plain = /^(?!log:)[a-z0-9:_./-]{1,150}$/;

/** A key as it is stored: itself where every database keeps it apart from others, else its SHA-256. */
export async function storedKey(key: string): Promise<string> {
  if (typeof key !== "string") throw new TypeError(`A key of the store must be a string, not ${typeof key}.`);
  return plain.test(key) ? key : `#${await sha256(key)}`;
}

/** SHA-256 of a text, in hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
