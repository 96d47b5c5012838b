import { type OIDCProvider, type OIDCUserConfig, providerOptions } from "@cardea/core/providers";

/** The claims of LINE's ID tokens (https://developers.line.biz/en/docs/line-login/verify-id-token/). */
export interface LINEProfile {
  /** The user's id for the channel's provider. */
  readonly sub: string;
  /** The display name. */
  readonly name?: string;
  /** URL of the profile picture; absent if there is none. */
  readonly picture?: string;
  /** Only with the scope `email`, which requires a channel permission. */
  readonly email?: string;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with LINE. Client id and secret come from the options, or from `AUTH_LINE_ID` and `AUTH_LINE_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function LINE(options: OIDCUserConfig<LINEProfile> = {}): OIDCProvider<LINEProfile> {
  return {
    id: "line",
    name: "LINE",
    type: "oidc",
    issuer: "https://access.line.me",
    authorization: { params: { scope: "openid profile" } },
    // https://developers.line.biz/en/docs/line-login/integrate-line-login/#receiving-an-error-response
    cancelled: ["ACCESS_DENIED"],
    // LINE signs the ID tokens of web applications with the channel secret.
    client: { token_endpoint_auth_method: "client_secret_post", id_token_signed_response_alg: "HS256" },
    style: { bg: "#06c755", text: "#000000" },
    options: providerOptions("LINE", options),
  };
}

export default LINE;
