/** ID tokens, honest and otherwise (OIDC Core §2). */
import { createHash } from "node:crypto";
import { assumeJson, defined, type Json, type JsonObject, patchJson } from "./json.ts";
import { type ProviderKey, type SignatureAlgorithm, signingInput, signWithKey, signWithSecret } from "./keys.ts";
import type { SignatureScript } from "./script.ts";
import type { Grant, ProviderState } from "./state.ts";

/** How long ID tokens are good for, seconds; as in the OpenID Foundation's suite. */
const LIFETIME_SECONDS = 300;

/** Which scope a claim needs (OIDC Core §5.4); claims that are not here always come. */
const SCOPE_OF: ReadonlyMap<string, string> = new Map([
  ...["name", "given_name", "family_name", "middle_name", "nickname", "preferred_username", "profile"].map(
    profileClaim,
  ),
  ...["picture", "website", "gender", "birthdate", "zoneinfo", "locale", "updated_at"].map(profileClaim),
  ["email", "email"],
  ["email_verified", "email"],
  ["phone_number", "phone"],
  ["phone_number_verified", "phone"],
  ["address", "address"],
]);

function profileClaim(name: string): [string, string] {
  return [name, "profile"];
}

/** The person's claims that the granted scope lets through. */
export function claimsFor({ user, scope }: Grant): JsonObject {
  const scopes = new Set(scope.split(" "));
  const claims = Object.entries(user).filter(([name]) => scopes.has(SCOPE_OF.get(name) ?? "openid"));
  return Object.fromEntries(claims);
}

/** Left half of the hash of a token, by the ID token's algorithm (OIDC Core §3.1.3.6). */
function leftHalfHash(token: string, alg: SignatureAlgorithm): string {
  const digest = createHash(alg === "EdDSA" ? "sha512" : `sha${alg.slice(2)}`)
    .update(token)
    .digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
}

function honestClaims(
  { settings }: ProviderState,
  grant: Grant,
  accessToken: string,
  alg: SignatureAlgorithm,
): JsonObject {
  const now = Math.floor(settings.now() / 1000);
  return defined({
    ...(settings.claimsIn === "userinfo" ? {} : claimsFor(grant)),
    iss: settings.issuer,
    sub: grant.user.sub,
    aud: settings.clientId,
    exp: now + LIFETIME_SECONDS,
    iat: now,
    auth_time: grant.authTime,
    nonce: grant.nonce,
    at_hash: leftHalfHash(accessToken, alg),
  });
}

function xor5a(bytes: Buffer): Buffer {
  return Buffer.from(bytes.map((byte) => byte ^ 0x5a));
}

/** The text an attacker has and a careless verifier may take for an HMAC key. */
function hmacSecret(mode: SignatureScript, key: ProviderKey, clientSecret: string): string {
  if (mode === "hmac-with-secret") return clientSecret;
  if (mode === "hmac-with-public-key-jwk") return JSON.stringify({ ...key.publicJwk, kid: key.kid });
  return String(key.publicKey.export({ type: "spki", format: "pem" }));
}

interface Forgery {
  readonly header: JsonObject;
  readonly sign: (input: string) => string;
}

/** What the mode does to the header, and the signature it puts at the end. */
async function prepareForgery(state: ProviderState, mode: SignatureScript, alg: SignatureAlgorithm): Promise<Forgery> {
  const key = await state.keys.signingKey(alg, state.script.jwks?.set ?? "single");
  const { kid } = key;
  const signWith = (own: ProviderKey) => (input: string) =>
    signWithKey(input, alg, own.privateKey).toString("base64url");
  if (typeof mode === "object" || mode === "ok" || mode === "tampered")
    return { header: { alg, kid }, sign: signWith(key) };
  switch (mode) {
    case "xor5a":
      return {
        header: { alg, kid },
        sign: (input) => xor5a(signWithKey(input, alg, key.privateKey)).toString("base64url"),
      };
    case "none":
      return { header: { alg: "none" }, sign: () => "" };
    case "stripped":
      return { header: { alg, kid }, sign: () => "" };
    case "other-key":
      return { header: { alg, kid }, sign: signWith(await state.keys.strangerKey(alg)) };
    case "embedded-jwk": {
      const stranger = await state.keys.strangerKey(alg);
      const jwk = assumeJson(stranger.publicJwk);
      return { header: { alg, kid: stranger.kid, jwk }, sign: signWith(stranger) };
    }
    default: {
      const secret = hmacSecret(mode, key, state.settings.clientSecret ?? "");
      return { header: { alg: "HS256", kid }, sign: (input) => signWithSecret(input, secret).toString("base64url") };
    }
  }
}

/** The ID token of a token response, as the script has it. */
export async function issueIdToken(state: ProviderState, grant: Grant, accessToken: string): Promise<Json> {
  const script = state.script.idToken ?? {};
  if (script.replaceWith !== undefined) return script.replaceWith;
  if (state.script.jwks?.rotate === "beforeSign") state.keys.rotate();
  const mode = script.sign ?? "ok";
  const alg = typeof mode === "object" ? mode.alg : state.settings.signatureAlgorithm;
  const forgery = await prepareForgery(state, mode, alg);
  const header = patchJson({ ...forgery.header, typ: "JWT" }, script.header);
  const claims = patchJson(honestClaims(state, grant, accessToken, alg), script.claims);

  const input = signingInput(header, claims);
  const sent = mode === "tampered" ? signingInput(header, { ...claims, sub: "tampered" }) : input;
  const token = `${sent}.${forgery.sign(input)}`;
  state.issued.idTokens.push(token);
  return token;
}
