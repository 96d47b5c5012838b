import type { OIDCProvider, OIDCUserConfig } from "@cardea/core/providers";
import { type AppleKey, createClientSecret } from "./client-secret.ts";

/**
 * What Apple says of a person in an ID token
 * (https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple).
 */
export interface AppleProfile {
  /** The person's id for this developer team. */
  readonly sub: string;
  readonly email?: string;
  /** Apple sends it as a string, too. */
  readonly email_verified?: boolean | "true" | "false";
  /** Whether the address is one of Apple's that forwards. */
  readonly is_private_email?: boolean | "true" | "false";
  /** Only at the first consent, and not signed: the name as the person typed it. */
  readonly user?: { readonly name?: { readonly firstName?: string; readonly lastName?: string } };
  readonly [member: string]: unknown;
}

/** Options of {@link Apple}. */
export interface AppleOptions extends OIDCUserConfig<AppleProfile> {
  /** The key that client secrets are signed with. Without it `clientSecret`, or `AUTH_APPLE_SECRET`, is a finished one. */
  key?: AppleKey;
}

/**
 * Sign-in with Apple. `clientId` is the Services ID, or `AUTH_APPLE_ID`. With `key` the client secret is signed when it is
 * needed, and renewed.
 *
 * @param options laid over the defaults: plain objects deeply, everything else replaced.
 */
export function Apple(options: AppleOptions = {}): OIDCProvider<AppleProfile> {
  const { key, ...overrides } = options;
  return {
    id: "apple",
    name: "Apple",
    type: "oidc",
    issuer: "https://appleid.apple.com",
    authorization: { params: { scope: "name email", response_mode: "form_post" } },
    client: { token_endpoint_auth_method: "client_secret_post" },
    // Apple's documentation knows no PKCE.
    checks: ["state", "nonce"],
    profile({ sub, email, user }) {
      const name = [user?.name?.firstName, user?.name?.lastName].filter(Boolean).join(" ");
      return { id: sub, name: name || null, email: email ?? null, image: null };
    },
    style: { bg: "#000000", text: "#ffffff" },
    options: key === undefined ? overrides : { ...overrides, clientSecret: createClientSecret(key) },
  };
}

export type { AppleKey } from "./client-secret.ts";
export default Apple;
