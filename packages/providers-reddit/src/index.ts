import { type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";

/** The members of Reddit's user response that are used here (https://www.reddit.com/dev/api/#GET_api_v1_me). */
export interface RedditProfile {
  /** The user's id. */
  readonly id: string;
  /** The user name. */
  readonly name: string;
  /** URL of the avatar. */
  readonly icon_img?: string;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Reddit. Client id and secret come from the options, or from `AUTH_REDDIT_ID` and `AUTH_REDDIT_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Reddit(options: OAuthUserConfig<RedditProfile> = {}): OAuth2Provider<RedditProfile> {
  return {
    id: "reddit",
    name: "Reddit",
    type: "oauth",
    authorization: { url: "https://www.reddit.com/api/v1/authorize", params: { scope: "identity" } },
    token: { url: "https://www.reddit.com/api/v1/access_token" },
    // Without `raw_json` the image URL is escaped for HTML.
    userinfo: { url: "https://oauth.reddit.com/api/v1/me", params: { raw_json: 1 } },
    checks: ["state"],
    profile({ id, name, icon_img }) {
      return { id, name, email: null, image: icon_img || null };
    },
    style: { bg: "#ff4500", text: "#000000" },
    options: providerOptions("Reddit", options),
  };
}

export default Reddit;
