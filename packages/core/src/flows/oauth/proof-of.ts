import type { TokenSet } from "../../model/records.ts";
import type { ResolvedOAuthProvider } from "../../model/resolved-config.ts";
import type { ProofOptions } from "./dpop.ts";
import type { KeyOwner } from "./dpop-key.ts";

/** How requests to a provider prove a key: not at all, unless the provider has `dpop`. */
export interface Proof {
  /** Options of an oauth4webapi call. */
  readonly options: ProofOptions;
  /** Sends a request, and again with a nonce that the server asks for. */
  readonly send: (request: () => Promise<Response>) => Promise<Response>;
  /** @throws OAuthCallbackError for a token that is not bound to the key. */
  readonly require: (tokens: TokenSet) => void;
}

const NONE: Proof = { options: {}, send: (request) => request(), require: () => undefined };

/** The code for it is loaded for a provider that has `dpop`. */
export async function proofOf(owner: KeyOwner, provider: ResolvedOAuthProvider): Promise<Proof> {
  if (!provider.source.dpop) return NONE;
  const { proofFor, requireBound, withNonce } = await import("./dpop.ts");
  const options = await proofFor(owner, provider);
  return {
    options,
    send: (request) => withNonce(options, request),
    require: (tokens) => void requireBound(provider, tokens),
  };
}
