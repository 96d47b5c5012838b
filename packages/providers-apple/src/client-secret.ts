/** The key of a developer team, from *Certificates, Identifiers & Profiles*. */
export interface AppleKey {
  /** Ten characters, shown in the membership details. */
  readonly teamId: string;
  /** Ten characters, part of the name of the key's file. */
  readonly keyId: string;
  /** The text of the file `AuthKey_<key id>.p8`. Line breaks may be written as backslash and n. */
  readonly privateKey: string;
}

/** Lifetime of a client secret in seconds. Apple accepts up to six months; a short one is of little use to a thief. */
const LIFETIME = 60 * 60;

/** A secret that expires within this time is not used: seconds. */
const MARGIN = 60;

/**
 * Creates client secrets: a JWT that the team's key signs with ES256
 * (https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret). Each is used until
 * a minute before it expires.
 *
 * @returns a function that rejects with a TypeError if the key is not one that Apple issues.
 */
export function createClientSecret(
  key: AppleKey,
  now: () => number = Date.now,
): (client: { readonly clientId: string }) => Promise<string> {
  let current = { clientId: "", expires: 0, secret: Promise.resolve("") };
  return ({ clientId }) => {
    const seconds = Math.floor(now() / 1000);
    if (current.clientId !== clientId || current.expires - MARGIN <= seconds) {
      const expires = seconds + LIFETIME;
      current = { clientId, expires, secret: sign(key, clientId, seconds, expires) };
    }
    return current.secret;
  };
}

async function sign(key: AppleKey, clientId: string, iat: number, exp: number): Promise<string> {
  const header = { alg: "ES256", kid: key.keyId };
  const claims = { iss: key.teamId, iat, exp, aud: "https://appleid.apple.com", sub: clientId };
  const input = `${encode(JSON.stringify(header))}.${encode(JSON.stringify(claims))}`;
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const cryptoKey = await crypto.subtle.importKey("pkcs8", parsePem(key.privateKey), algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, cryptoKey, bytesOf(input));
  return `${input}.${encode(String.fromCharCode(...new Uint8Array(signature)))}`;
}

/** The bytes between the lines of a PEM file (RFC 7468). */
function parsePem(pem: string): Uint8Array<ArrayBuffer> {
  const [, body] =
    /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/.exec(pem.replaceAll("\\n", "\n")) ?? [];
  if (body === undefined) throw new TypeError("`key.privateKey` must be the text of a .p8 file");
  return bytesOf(atob(body.replace(/\s/g, "")));
}

function bytesOf(binary: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}

/** base64url of a string of bytes (RFC 7515 appendix C). */
function encode(binary: string): string {
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
