import type { OAuth2Provider, OAuthUserConfig } from "@cardea/core/providers";

/** What Acme says of a person, as far as it is read here (https://acme.example/docs/api/user). */
export interface AcmeProfile {
  readonly id: number;
  readonly name: string | null;
  readonly email: string | null;
  readonly email_verified: boolean;
  readonly avatar_url: string | null;
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Acme. Client id and secret come from the options, or from `AUTH_ACME_ID` and `AUTH_ACME_SECRET`.
 *
 * @param options laid over the defaults: plain objects deeply, everything else replaced.
 */
export function Acme(options: OAuthUserConfig<AcmeProfile> = {}): OAuth2Provider<AcmeProfile> {
  return {
    id: "acme",
    name: "Acme",
    type: "oauth",
    authorization: { url: "https://acme.example/oauth/authorize", params: { scope: "profile email" } },
    token: { url: "https://acme.example/oauth/token" },
    userinfo: { url: "https://acme.example/api/user" },
    profile({ id, name, email, email_verified, avatar_url }) {
      return { id, name, email, emailVerified: email_verified, image: avatar_url };
    },
    style: { bg: "#1f2937", text: "#ffffff" },
    options,
  };
}

export default Acme;
