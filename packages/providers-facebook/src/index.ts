import { type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";

/**
 * The members of Facebook's user response that are used here
 * (https://developers.facebook.com/docs/graph-api/reference/user/).
 */
export interface FacebookProfile {
  /** The user's id for this application. */
  readonly id: string;
  /** The full name. */
  readonly name: string;
  /** The e-mail address; absent if the user does not share it, or has no valid one. */
  readonly email?: string;
  /** The picture; `data.url` is its URL. */
  readonly picture?: { readonly data?: { readonly url?: string } };
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Facebook. Client id and secret come from the options, or from `AUTH_FACEBOOK_ID` and `AUTH_FACEBOOK_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Facebook(options: OAuthUserConfig<FacebookProfile> = {}): OAuth2Provider<FacebookProfile> {
  return {
    id: "facebook",
    name: "Facebook",
    type: "oauth",
    authorization: { url: "https://www.facebook.com/v23.0/dialog/oauth", params: { scope: "public_profile,email" } },
    token: { url: "https://graph.facebook.com/v23.0/oauth/access_token" },
    userinfo: { url: "https://graph.facebook.com/v23.0/me", params: { fields: "id,name,email,picture" } },
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile({ id, name, email, picture }) {
      return { id, name, email: email ?? null, image: picture?.data?.url ?? null };
    },
    style: { bg: "#0866ff", text: "#ffffff" },
    options: providerOptions("Facebook", options),
  };
}

export default Facebook;
