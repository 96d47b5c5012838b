import {
  type OAuth2Provider,
  type OAuthUserConfig,
  providerOptions,
  type UserinfoRequestContext,
} from "@cardea/core/providers";

/**
 * The members of Dropbox's user response that are used here
 * (https://www.dropbox.com/developers/documentation/http/documentation#users-get_current_account).
 */
export interface DropboxProfile {
  /** The user's id. */
  readonly account_id: string;
  /** The user's names; `display_name` is the full one. */
  readonly name: { readonly display_name: string };
  /** The e-mail address of the account. */
  readonly email: string;
  /** Whether the user confirmed the address. */
  readonly email_verified: boolean;
  /** URL of the picture; absent if the user has none. */
  readonly profile_photo_url?: string;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

const ACCOUNT_URL = "https://api.dropboxapi.com/2/users/get_current_account";

/**
 * Sign-in with Dropbox. Client id and secret come from the options, or from `AUTH_DROPBOX_ID` and `AUTH_DROPBOX_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Dropbox(options: OAuthUserConfig<DropboxProfile> = {}): OAuth2Provider<DropboxProfile> {
  return {
    id: "dropbox",
    name: "Dropbox",
    type: "oauth",
    authorization: {
      url: "https://www.dropbox.com/oauth2/authorize",
      params: { scope: "account_info.read", token_access_type: "offline" },
    },
    token: { url: "https://api.dropboxapi.com/oauth2/token" },
    userinfo: { url: ACCOUNT_URL, request: requestAccount },
    profile({ account_id, name, email, email_verified, profile_photo_url }) {
      return {
        id: account_id,
        name: name?.display_name ?? null,
        email,
        emailVerified: email_verified,
        image: profile_photo_url ?? null,
      };
    },
    style: { bg: "#0061fe", text: "#ffffff" },
    options: providerOptions("Dropbox", options),
  };
}

/** Dropbox requires a POST without a body. */
async function requestAccount({ tokens, fetch }: UserinfoRequestContext): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const response = await fetch(ACCOUNT_URL, { method: "POST", headers });
  if (!response.ok) throw new Error(`Dropbox responded with status ${response.status}: ${await response.text()}`);
  return response.json();
}

export default Dropbox;
