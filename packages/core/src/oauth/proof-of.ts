import type { TokenSet } from "../model/records.ts";
import type { ResolvedOAuthProvider } from "../model/resolved-provider.ts";
import type { ProofOptions } from "./dpop.ts";
import type { KeyOwner } from "./dpop-key.ts";

/** Key proofs for requests to a provider; no-ops unless the provider has `dpop`. */
export interface Proof {
  /** Options of an oauth4webapi call. */
  readonly options: ProofOptions;
  /** Sends a request, and repeats it with a nonce if the server requires one. */
  readonly send: (request: () => Promise<Response>) => Promise<Response>;
  /** @throws OAuthCallbackError for a token that is not bound to the key. */
  readonly require: (tokens: TokenSet) => void;
}

const NONE: Proof = { options: {}, send: (request) => request(), require: () => undefined };

/** Loads the code only for a provider with `dpop`. */
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
