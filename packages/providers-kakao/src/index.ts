import { type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";

/**
 * The members of Kakao's user response that are used here
 * (https://developers.kakao.com/docs/latest/en/kakaologin/rest-api#req-user-info).
 */
export interface KakaoProfile {
  /** The user's service user id for this application. */
  readonly id: number;
  /** What the user agreed to share; absent members were not requested or not agreed to. */
  readonly kakao_account?: {
    readonly profile?: { readonly nickname?: string; readonly profile_image_url?: string };
    readonly email?: string;
    readonly is_email_valid?: boolean;
    readonly is_email_verified?: boolean;
  };
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Kakao. Client id and secret come from the options, or from `AUTH_KAKAO_ID` and `AUTH_KAKAO_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Kakao(options: OAuthUserConfig<KakaoProfile> = {}): OAuth2Provider<KakaoProfile> {
  return {
    id: "kakao",
    name: "Kakao",
    type: "oauth",
    // The requested data is configured in Kakao's console, not by scopes. Kakao rejects unknown scopes.
    authorization: { url: "https://kauth.kakao.com/oauth/authorize", params: { scope: "" } },
    token: { url: "https://kauth.kakao.com/oauth/token" },
    userinfo: { url: "https://kapi.kakao.com/v2/user/me" },
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile({ id, kakao_account = {} }) {
      const { profile, email, is_email_valid, is_email_verified } = kakao_account;
      return {
        id,
        name: profile?.nickname ?? null,
        email: email ?? null,
        emailVerified: is_email_valid === true && is_email_verified === true,
        image: profile?.profile_image_url ?? null,
      };
    },
    style: { bg: "#fee500", text: "#000000" },
    options: providerOptions("Kakao", options),
  };
}

export default Kakao;
