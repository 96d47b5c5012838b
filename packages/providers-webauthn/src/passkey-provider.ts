import type { SignInWayProvider } from "@cardea/core/extend";
import type { WebAuthnProvider } from "@cardea/core/providers";

/** A passkey provider of a configuration. */
export interface PasskeyProvider {
  readonly id: string;
  readonly source: WebAuthnProvider;
}

/** The provider as this package made it: core keeps its object without looking into it. */
export function passkeyProvider({ id, source }: SignInWayProvider): PasskeyProvider {
  return { id, source: source as WebAuthnProvider };
}
