import type { WebAuthnProvider } from "@cardea/core/providers";

/** EdDSA with Ed25519, ES256, RS256: the algorithms of authenticators in use (WebAuthn L3 §5.4.3). */
const DEFAULT_ALGORITHMS = [-8, -7, -257] as const;

/**
 * The algorithms that a provider offers and accepts: those of its `registrationOptions`, else of its
 * `verifyRegistrationOptions`.
 */
export function algorithmsOf({
  registrationOptions = {},
  verifyRegistrationOptions = {},
}: Pick<WebAuthnProvider, "registrationOptions" | "verifyRegistrationOptions">): readonly number[] {
  const lists = [registrationOptions, verifyRegistrationOptions].map((options) =>
    Reflect.get(options, "supportedAlgorithmIDs"),
  );
  return lists.find((list): list is readonly number[] => Array.isArray(list)) ?? DEFAULT_ALGORITHMS;
}
