import { createRequire } from "node:module";
import * as v5 from "@auth/core/jwt";

type Claims = Readonly<Record<string, unknown>>;

/** Of NextAuth v4. Its declarations would add those of Next.js to the whole program. */
interface FormerJwt {
  encode(params: { readonly token: Claims; readonly secret: string; readonly maxAge?: number }): Promise<string>;
  decode(params: { readonly token: string; readonly secret: string }): Promise<Claims | null>;
}

const v4: FormerJwt = createRequire(import.meta.url)("next-auth-4/jwt");

export const SECRET = "a secret of more than thirty-two bytes for tests";
export const FORMER_SECRET = "a former secret of more than thirty-two bytes";

export const versions = ["authjs-v5", "nextauth-v4"] as const;
export type Version = (typeof versions)[number];

/** The cookie of each version on https, and what it has beside. */
export const NAMES = {
  "authjs-v5": "__Secure-authjs.session-token",
  "nextauth-v4": "__Secure-next-auth.session-token",
} as const satisfies Record<Version, string>;

/** Makes a token with the real library. */
export function encodeFormer(
  version: Version,
  token: Claims,
  {
    secret = SECRET,
    salt = NAMES["authjs-v5"],
    maxAge = 2_592_000,
  }: { secret?: string; salt?: string; maxAge?: number } = {},
): Promise<string> {
  return version === "authjs-v5"
    ? v5.encode({ token: { ...token }, secret, salt, maxAge })
    : v4.encode({ token, secret, maxAge });
}

/** Reads a token with the real library; throws what that throws. */
export async function decodeFormer(
  version: Version,
  token: string,
  { secret = SECRET, salt = NAMES["authjs-v5"] }: { secret?: string; salt?: string } = {},
): Promise<Claims | null> {
  return version === "authjs-v5" ? v5.decode({ token, secret, salt }) : v4.decode({ token, secret });
}
