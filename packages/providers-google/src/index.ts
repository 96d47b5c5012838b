import { type OIDCProvider, type OIDCUserConfig, providerOptions } from "@cardea/core/providers";
import { LOGO } from "./logo.ts";

/** The claims of Google's ID tokens (https://developers.google.com/identity/openid-connect/openid-connect). */
export interface GoogleProfile {
  /** The user's id; use it, not the address, to recognise the user. */
  readonly sub: string;
  /** The full name, as it is displayed (OIDC Core §5.1). Absent without the scope `profile`. */
  readonly name?: string;
  /** The e-mail address; trust it only with `email_verified` (OIDC Core §5.1). Absent without the scope `email`. */
  readonly email?: string;
  /** Whether the provider verified that the user controls the address (OIDC Core §5.1). Absent: the provider does not report it. */
  readonly email_verified?: boolean;
  /** URL of the profile picture (OIDC Core §5.1). */
  readonly picture?: string;
  /** First name (OIDC Core §5.1). */
  readonly given_name?: string;
  /** Last name (OIDC Core §5.1). */
  readonly family_name?: string;
  /** The Google Workspace domain the account belongs to. */
  readonly hd?: string;
  /** Any other member that the provider sends. */
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
    // Both are documented: https://developers.google.com/identity/openid-connect/openid-connect#validatinganidtoken
    idTokenIssuer: ({ iss }, issuer) => (iss === "accounts.google.com" ? iss : issuer),
    style: { logo: LOGO, bg: "#ffffff", text: "#1f1f1f" },
    options: providerOptions("Google", options),
  };
}

export default Google;
