import {
  type OAuth2Provider,
  type OAuthUserConfig,
  providerOptions,
  type UserinfoRequestContext,
} from "@cardea/core/providers";

/**
 * The members of Bitbucket's user response that are used here
 * (https://developer.atlassian.com/cloud/bitbucket/rest/api-group-users/).
 */
export interface BitbucketProfile {
  /** The user's Atlassian account id. */
  readonly account_id: string;
  /** The user's id in Bitbucket, in braces. */
  readonly uuid?: string;
  /** The name that is displayed. */
  readonly display_name?: string;
  /** The user name; can be changed. */
  readonly username?: string;
  /** Related URLs; `avatar.href` is the picture. */
  readonly links?: { readonly avatar?: { readonly href?: string } };
  /** The primary address, from the list of the user's addresses. */
  readonly email?: string;
  /** Whether the primary address is confirmed. */
  readonly email_verified?: boolean;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

const USER_URL = "https://api.bitbucket.org/2.0/user";

/**
 * Sign-in with Bitbucket. Client id and secret come from the options, or from `AUTH_BITBUCKET_ID` and
 * `AUTH_BITBUCKET_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Bitbucket(options: OAuthUserConfig<BitbucketProfile> = {}): OAuth2Provider<BitbucketProfile> {
  return {
    id: "bitbucket",
    name: "Bitbucket",
    type: "oauth",
    authorization: { url: "https://bitbucket.org/site/oauth2/authorize", params: { scope: "account email" } },
    token: { url: "https://bitbucket.org/site/oauth2/access_token" },
    userinfo: { url: USER_URL, request: requestUser },
    profile({ account_id, display_name, username, email, links }) {
      const name = display_name ?? username ?? null;
      return { id: account_id, name, email: email ?? null, image: links?.avatar?.href ?? null };
    },
    style: { bg: "#0052cc", text: "#ffffff" },
    options: providerOptions("Bitbucket", options),
  };
}

/** Addresses are a separate resource, in pages of at most 100; without permission to read it there is none. */
async function requestUser({ tokens, fetch }: UserinfoRequestContext): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${tokens.access_token}` };
  const user = await fetch(USER_URL, { headers });
  if (!user.ok) throw new Error(`Bitbucket responded with status ${user.status}: ${await user.text()}`);
  const emails = await fetch(`${USER_URL}/emails?pagelen=100`, { headers });
  return { ...(await user.json()), ...(emails.ok ? primaryOf(await emails.json()) : {}) };
}

interface Address {
  readonly email: string;
  readonly is_primary: boolean;
  readonly is_confirmed: boolean;
}

function primaryOf({ values = [] }: { readonly values?: readonly Address[] }) {
  const primary = values.find(({ is_primary }) => is_primary);
  return primary === undefined ? {} : { email: primary.email, email_verified: primary.is_confirmed };
}

export default Bitbucket;
