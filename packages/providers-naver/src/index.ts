import { type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";

/** The members of NAVER's user response that are used here (https://developers.naver.com/docs/login/profile/profile.md). */
export interface NaverProfile {
  /** Code of the API's result; `00` for success. */
  readonly resultcode: string;
  /** Text of the API's result; `success` if it succeeded. */
  readonly message: string;
  /** The user, with the members that the user agreed to share. */
  readonly response: {
    /** The user's id for this application. */
    readonly id: string;
    readonly nickname?: string;
    readonly name?: string;
    readonly email?: string;
    readonly profile_image?: string;
  };
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with NAVER. Client id and secret come from the options, or from `AUTH_NAVER_ID` and `AUTH_NAVER_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Naver(options: OAuthUserConfig<NaverProfile> = {}): OAuth2Provider<NaverProfile> {
  return {
    id: "naver",
    name: "NAVER",
    type: "oauth",
    // The requested data is configured in NAVER's console, not by scopes. NAVER rejects unknown scopes.
    authorization: { url: "https://nid.naver.com/oauth2.0/authorize", params: { scope: "" } },
    token: { url: "https://nid.naver.com/oauth2.0/token" },
    userinfo: { url: "https://openapi.naver.com/v1/nid/me" },
    client: { token_endpoint_auth_method: "client_secret_post" },
    profile({ response }) {
      const { id, nickname, name, email, profile_image } = response;
      return { id, name: nickname ?? name ?? null, email: email ?? null, image: profile_image ?? null };
    },
    style: { bg: "#03c75a", text: "#000000" },
    options: providerOptions("Naver", options),
  };
}

export default Naver;
