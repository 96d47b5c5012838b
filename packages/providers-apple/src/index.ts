import { type OIDCProvider, type OIDCUserConfig, providerOptions } from "@cardea/core/providers";
import { type AppleKey, createClientSecret } from "./client-secret.ts";
import { LOGO } from "./logo.ts";

/**
 * The claims of Apple's ID tokens
 * (https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple).
 */
export interface AppleProfile {
  /** The user's id for this developer team. */
  readonly sub: string;
  /** The e-mail address, or a relay address that forwards to it. Absent if the application does not request it. */
  readonly email?: string;
  /** Apple also sends it as a string. */
  readonly email_verified?: boolean | "true" | "false";
  /** Whether the address is an Apple relay address. */
  readonly is_private_email?: boolean | "true" | "false";
  /** Only at the first consent, and unsigned: the name as the user entered it. */
  readonly user?: { readonly name?: { readonly firstName?: string; readonly lastName?: string } };
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/** Options of {@link Apple}. */
export interface AppleOptions extends OIDCUserConfig<AppleProfile> {
  /** The key that signs client secrets. Without it, `clientSecret` or `AUTH_APPLE_SECRET` must be a signed client secret. */
  key?: AppleKey;
}

/**
 * Sign-in with Apple. `clientId` is the Services ID, or `AUTH_APPLE_ID`. With `key`, client secrets are signed as needed.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Apple(options: AppleOptions = {}): OIDCProvider<AppleProfile> {
  const { key, ...overrides } = providerOptions("Apple", options);
  return {
    id: "apple",
    name: "Apple",
    type: "oidc",
    issuer: "https://appleid.apple.com",
    authorization: { params: { scope: "name email", response_mode: "form_post" } },
    client: { token_endpoint_auth_method: "client_secret_post" },
    cancelled: ["user_cancelled_authorize"],
    // Apple does not document PKCE.
    checks: ["state", "nonce"],
    profile({ sub, email, user }) {
      const name = [user?.name?.firstName, user?.name?.lastName].filter(Boolean).join(" ");
      return { id: sub, name: name || null, email: email ?? null, image: null };
    },
    style: { logo: LOGO, bg: "#000000", text: "#ffffff" },
    options: key === undefined ? overrides : { ...overrides, clientSecret: createClientSecret(key) },
  };
}

export type { AppleKey } from "./client-secret.ts";
export default Apple;
