import type { OAuth2Provider, OAuthUserConfig, Profile } from "@cardea/core/providers";

/**
 * Sign-in with any OAuth 2 provider. `authorization`, `token` and `userinfo` are its endpoints; client id and secret come from
 * the options, or from `AUTH_OAUTH2_ID` and `AUTH_OAUTH2_SECRET`. `id` and `name` make room for several; `id` is part of the
 * callback URL and of the environment variables.
 *
 * OAuth 2 does not say what the userinfo answer looks like: `profile` turns it into a user. Without it `id` or `sub`, `name`,
 * `nickname` or `preferred_username`, `email` and `picture` are taken.
 *
 * @param options laid over the defaults: plain objects deeply, everything else replaced.
 */
export function OAuth2<P = Profile>(options: OAuthUserConfig<P> = {}): OAuth2Provider<P> {
  return {
    id: "oauth2",
    name: "OAuth 2",
    type: "oauth",
    style: { bg: "#1f2937", text: "#ffffff" },
    options,
  };
}

export default OAuth2;
