import { type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";
import { parseVKProfile, unwrapVKAnswer, type VKProfile } from "./vk-profile.ts";

/** Options of {@link VK}. */
export interface VKOptions extends OAuthUserConfig<VKProfile> {
  /** Version of VK's API; default `5.126`. */
  apiVersion?: string;
  /** The token endpoint with its query, including `?v=<version>` (docs/configuration.md). */
  accessTokenUrl?: string;
  /** The same; `accessTokenUrl` takes precedence. */
  requestTokenUrl?: string;
  /** The authorization endpoint with its query: `?response_type=code&v=<version>`. */
  authorizationUrl?: string;
  /** The profile request with its query: `?fields=photo_100&v=<version>`. */
  profileUrl?: string;
}

/**
 * Sign-in with VK. Client id and secret come from the options, or from `AUTH_VK_ID` and `AUTH_VK_SECRET`. VK sends the
 * e-mail address with the tokens if the user shares it, and does not say whether it is verified.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function VK(options: VKOptions = {}): OAuth2Provider<VKProfile> {
  const { apiVersion = "5.126", accessTokenUrl, requestTokenUrl, authorizationUrl, profileUrl, ...overrides } = options;
  const v = encodeURIComponent(apiVersion);
  return {
    id: "vk",
    name: "VK",
    type: "oauth",
    authorization: {
      url: authorizationUrl ?? `https://oauth.vk.com/authorize?response_type=code&v=${v}`,
      params: { scope: "email" },
    },
    token: { url: accessTokenUrl ?? requestTokenUrl ?? `https://oauth.vk.com/access_token?v=${v}` },
    userinfo: {
      url: profileUrl ?? `https://api.vk.com/method/users.get?fields=photo_100&v=${v}`,
      conform: unwrap,
    },
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile(person, tokens) {
      const { id, first_name, last_name, photo_100, email } = parseVKProfile(unwrapVKAnswer(person));
      const name = [first_name, last_name].filter(Boolean).join(" ");
      return { id: String(id), name: name || null, email: email ?? textOf(tokens.email), image: photo_100 ?? null };
    },
    style: { bg: "#0066dd", text: "#ffffff" },
    options: providerOptions("VK", overrides),
  };
}

/** The callbacks receive the user as `profile`, not the list that contains it. */
async function unwrap(response: Response): Promise<Response | undefined> {
  return response.ok ? Response.json(unwrapVKAnswer(await response.json())) : undefined;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
