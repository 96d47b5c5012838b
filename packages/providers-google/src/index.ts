import type { OIDCProvider, OIDCUserConfig } from "@cardea/core/providers";

/** The claims of Google's ID tokens (https://developers.google.com/identity/openid-connect/openid-connect). */
export interface GoogleProfile {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly picture?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  /** The Google Workspace domain the account belongs to. */
  readonly hd?: string;
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Google. Client id and secret come from the options, or from `AUTH_GOOGLE_ID` and `AUTH_GOOGLE_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Google(options: OIDCUserConfig<GoogleProfile> = {}): OIDCProvider<GoogleProfile> {
  return {
    id: "google",
    name: "Google",
    type: "oidc",
    issuer: "https://accounts.google.com",
    style: { bg: "#ffffff", text: "#1f1f1f" },
    options,
  };
}

export default Google;
