import { decryptJwe, encryptJwe, type JWT, type SessionFormat } from "@cardea/extend";
import { deriveKey } from "./derive-key.ts";
import { FORMATS, type FormerVersion } from "./formats.ts";
import { readFacts, signFacts } from "./signed-facts.ts";

/** One accepted cookie. */
export interface Accepted {
  readonly version: FormerVersion;
  /** The configured cookie name; undefined for the default. */
  readonly cookie: string | undefined;
  /** Secrets of the other application, in addition to those of this configuration. */
  readonly secrets: readonly string[];
  readonly emit: boolean;
  readonly until: number | undefined;
}

/** The session format of one accepted cookie. */
export function sessionFormat({ version, cookie, secrets: own, emit, until }: Accepted): SessionFormat {
  const base = cookie ?? FORMATS[version].cookie;
  const all = (configured: readonly string[]) => [...new Set([...own, ...configured])];
  return {
    id: version,
    cookie: base.replace(/^__(?:Secure|Host)-/, ""),
    emit,
    until,
    nameOf: (secure) => cookie ?? `${secure ? "__Secure-" : ""}${base}`,
    async open(token, name, configured) {
      const keys = await Promise.all(all(configured).map((secret) => deriveKey(version, secret, name)));
      const claims = parseClaims(await decryptJwe(token, keys));
      return claims === null ? null : readFacts(claims, configured);
    },
    async seal(claims, name, maxAge, configured) {
      const iat = Math.floor(Date.now() / 1000);
      const times = { iat, exp: iat + maxAge, jti: claims.jti ?? crypto.randomUUID() };
      const signed = await signFacts({ ...claims, ...times }, configured[0] ?? "");
      return encryptJwe(JSON.stringify(signed), await deriveKey(version, all(configured)[0] ?? "", name));
    },
  };
}

/**
 * NextAuth v4 before 4.24.5 encrypted pending sign-ins with the session key, so a token without a user is not a session
 * (CVE-2023-48309).
 */
function parseClaims(text: string | null): JWT | null {
  try {
    const claims: unknown = JSON.parse(text ?? "null");
    const { sub, email }: { readonly sub?: unknown; readonly email?: unknown } = Object(claims);
    const isNumber = typeof sub === "number";
    const namesUser = isNumber || [sub, email].some((one) => typeof one === "string" && one !== "");
    return namesUser && !Array.isArray(claims) ? (claims as JWT) : null;
  } catch {
    return null;
  }
}
