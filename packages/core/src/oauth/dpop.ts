import * as oauth from "oauth4webapi";
import { OAuthCallbackError } from "../model/errors.ts";
import type { TokenSet } from "../model/records.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import { clientOf } from "./client-authentication.ts";
import { dpopKeyOf, type KeyOwner } from "./dpop-key.ts";
import { jsonOf } from "./guarded-fetch.ts";

/**
 * Tokens bound to a key (RFC 9449): each request proves possession of the key, and a copied token is useless without
 * it.
 */

/** Options of an oauth4webapi call; empty if the provider has no `dpop`. */
export type ProofOptions = { readonly DPoP?: oauth.DPoPHandle };

const handles = new WeakMap<CryptoKeyPair, oauth.DPoPHandle>();

/** Proofs for requests to a provider. One handle per key, which remembers server nonces (RFC 9449 §8). */
export async function proofFor(owner: KeyOwner, provider: ResolvedOAuthProvider): Promise<ProofOptions> {
  if (!provider.source.dpop) return {};
  const key = await dpopKeyOf(owner, provider);
  const handle = handles.get(key) ?? oauth.DPoP(clientOf(provider), key);
  handles.set(key, handle);
  return { DPoP: handle };
}

/**
 * Sends a request, and repeats it once if the server requires a nonce in the proof (RFC 9449 §8, §9), in which case it
 * has not processed the request.
 *
 * @param send Sends the whole request, including proof and client assertion.
 */
export async function withNonce({ DPoP }: ProofOptions, send: () => Promise<Response>): Promise<Response> {
  const answer = await send();
  return DPoP !== undefined && (await wantsNonce(answer)) ? send() : answer;
}

/** Whether a server rejected a proof only because of its nonce. */
async function wantsNonce(answer: Response): Promise<boolean> {
  if (answer.status !== 400 && answer.status !== 401) return false;
  if (!answer.headers.has("dpop-nonce")) return false;
  if (answer.headers.get("www-authenticate")?.includes("use_dpop_nonce") === true) return true;
  return Object(await jsonOf(answer)).error === "use_dpop_nonce";
}

/** @throws OAuthCallbackError for a token that is not bound, because DPoP is configured (RFC 9449 §5). */
export function requireBound<T extends Pick<TokenSet, "token_type">>(provider: ResolvedOAuthProvider, tokens: T): T {
  if (!provider.source.dpop || tokens.token_type?.toLowerCase() === "dpop") return tokens;
  throw new OAuthCallbackError(
    `Provider "${provider.id}" has \`dpop: true\`, but its server returned a token that is not bound to the key (\`token_type\` is not DPoP).`,
    { cause: { provider: provider.id } },
  );
}
