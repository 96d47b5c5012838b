import type { WebAuthnProvider } from "@cardea/core/providers";
import type { MethodProvider } from "@cardea/extend";

/** A passkey provider of a configuration. */
export interface PasskeyProvider {
  readonly id: string;
  readonly source: WebAuthnProvider;
}

/** The provider object that this package created; core stores it unread. */
export function passkeyProvider({ id, source }: MethodProvider): PasskeyProvider {
  return { id, source: source as WebAuthnProvider };
}
