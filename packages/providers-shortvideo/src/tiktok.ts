import { isLoopbackHost, type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";
import { parseTikTokAnswer, requireOk, type TikTokField, type TikTokProfile } from "./tiktok-profile.ts";

/** Options of {@link TikTok}. */
export interface TikTokOptions extends OAuthUserConfig<TikTokProfile> {
  /** The user fields to request; default `open_id`, `avatar_url`, `display_name`. Others need additional scopes. */
  fields?: readonly TikTokField[];
}

/** The fields that make up the user. The scope `user.info.basic` covers all of them. */
const DEFAULT_FIELDS = ["open_id", "avatar_url", "display_name"] as const;

/** TikTok calls the client id a key, and requires that parameter name. */
const client_key = ({ clientId }: { readonly clientId: string }): string => clientId;

/**
 * Sign-in with TikTok (Login Kit for web). `clientId` is the application's client key; it and the client secret come from
 * the options, or from `AUTH_TIKTOK_ID` and `AUTH_TIKTOK_SECRET`. TikTok does not provide an e-mail address.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function TikTok(options: TikTokOptions = {}): OAuth2Provider<TikTokProfile> {
  const { fields = DEFAULT_FIELDS, ...overrides } = options;
  return {
    id: "tiktok",
    name: "TikTok",
    type: "oauth",
    authorization: {
      url: "https://www.tiktok.com/v2/auth/authorize/",
      params: { client_key, scope: "user.info.basic" },
    },
    token: { url: "https://open.tiktokapis.com/v2/oauth/token/", body: { client_key } },
    userinfo: {
      url: "https://open.tiktokapis.com/v2/user/info/",
      params: { fields: fields.join(",") },
      conform: refuseErrors,
    },
    client: { token_endpoint_auth_method: "client_secret_post" },
    // Login Kit for web does not support PKCE; its desktop kit uses a variant that differs from RFC 7636.
    checks: ["state"],
    profile(profile, tokens) {
      const { open_id, display_name, avatar_url } = parseTikTokAnswer(profile);
      // The token response contains the id of the user who agreed; the profile of another user is rejected.
      if (tokens?.open_id !== undefined && tokens.open_id !== open_id)
        throw new Error("TikTok returned the profile of another user");
      return { id: open_id, name: display_name ?? null, email: null, image: avatar_url ?? null };
    },
    refuseCallbackUrl,
    style: { bg: "#000000", text: "#ffffff" },
    options: providerOptions("TikTok", overrides),
  };
}

/** The log id, which TikTok's support needs, is in the body of the error response. */
async function refuseErrors(response: Response): Promise<undefined> {
  if (response.ok) return;
  requireOk(await response.json());
}

function refuseCallbackUrl(callbackUrl: string): string | undefined {
  return isLoopbackHost(new URL(callbackUrl).hostname)
    ? `TikTok does not redirect users of production applications to ${callbackUrl}. Register a domain with TikTok.`
    : undefined;
}
