/** What tells the sessions of two versions apart. The name of the cookie selects one of them, never the token (RFC 8725 §3.1). */
export const FORMATS = {
  "authjs-v5": {
    cookie: "authjs.session-token",
    enc: "A256CBC-HS512",
    keyBytes: 64,
    /** HKDF's salt and info; `name` is the cookie's, prefix included. */
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

/** A version whose sessions are known. */
export type FormerVersion = keyof typeof FORMATS;

export function isFormerVersion(value: unknown): value is FormerVersion {
  return typeof value === "string" && Object.hasOwn(FORMATS, value);
}
