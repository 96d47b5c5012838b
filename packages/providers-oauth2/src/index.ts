import { type OAuth2Provider, type OAuthUserConfig, type Profile, providerOptions } from "@cardea/core/providers";

/**
 * Sign-in with any OAuth 2 provider. `authorization`, `token` and `userinfo` are its endpoints; client id and secret come
 * from the options, or from `AUTH_OAUTH2_ID` and `AUTH_OAUTH2_SECRET`. Set `id` and `name` to configure several providers;
 * `id` is part of the callback URL and of the environment variables.
 *
 * OAuth 2 does not define the userinfo response: `profile` converts it to a user. By default it reads `id` or `sub`,
 * `name`, `nickname` or `preferred_username`, `email` and `picture`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function OAuth2<P = Profile>(options: OAuthUserConfig<P> = {}): OAuth2Provider<P> {
  return {
    id: "oauth2",
    name: "OAuth 2",
    type: "oauth",
    style: { bg: "#1f2937", text: "#ffffff" },
    options: providerOptions("OAuth2", options),
  };
}

export default OAuth2;
