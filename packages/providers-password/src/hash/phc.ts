/** A hash in the PHC string format: `$id$name=1,other=2$salt$hash`. */
export interface PhcHash {
  readonly id: string;
  readonly params: Readonly<Record<string, number>>;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

const PHC = /^\$([a-z0-9-]{1,32})\$((?:[a-z]{1,8}=\d{1,9},?){1,8})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,171})$/;

/** Parses a hash; null for other text. Never throws. */
export function parsePhc(text: string): PhcHash | null {
  const [, id = "", list = "", salt = "", hash = ""] = PHC.exec(text) ?? [];
  if (id === "") return null;
  const params = Object.fromEntries(
    list.split(",").map((pair): [string, number] => {
      const [name = "", value = ""] = pair.split("=");
      return [name, Number(value)];
    }),
  );
  return { id, params, salt: Buffer.from(salt, "base64"), hash: Buffer.from(hash, "base64") };
}

/** Formats a hash; the inverse of {@link parsePhc}. */
export function formatPhc({ id, params, salt, hash }: PhcHash): string {
  const list = Object.entries(params).map(([name, value]) => `${name}=${value}`);
  return `$${id}$${list.join(",")}$${toBase64(salt)}$${toBase64(hash)}`;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replaceAll("=", "");
}
