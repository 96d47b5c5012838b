/** The session formats by version. The cookie name selects the format, never the token (RFC 8725 §3.1). */
export const FORMATS = {
  "authjs-v5": {
    cookie: "authjs.session-token",
    enc: "A256CBC-HS512",
    keyBytes: 64,
    /** HKDF salt and info; `name` is the cookie name, including its prefix. */
    saltOf: (name: string) => name,
    infoOf: (name: string) => `Auth.js Generated Encryption Key (${name})`,
    namesKey: true,
  },
  "nextauth-v4": {
    cookie: "next-auth.session-token",
    enc: "A256GCM",
    keyBytes: 32,
    saltOf: () => "",
    infoOf: () => "NextAuth.js Generated Encryption Key",
    namesKey: false,
  },
} as const;

/** A version whose sessions can be read. */
export type FormerVersion = keyof typeof FORMATS;

export function isFormerVersion(value: unknown): value is FormerVersion {
  return typeof value === "string" && Object.hasOwn(FORMATS, value);
}
