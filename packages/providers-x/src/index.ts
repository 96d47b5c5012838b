import { type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";
import { LOGO } from "./logo.ts";

/** The members of X's user response that are used here (https://docs.x.com/x-api/users/get-my-user). */
export interface XProfile {
  /** The user. */
  readonly data: {
    readonly id: string;
    readonly name: string;
    readonly username: string;
    readonly profile_image_url?: string;
    /** Only if the application requests it. */
    readonly confirmed_email?: string;
  };
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with X. Client id and secret come from the options, or from `AUTH_TWITTER_ID` and `AUTH_TWITTER_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function X(options: OAuthUserConfig<XProfile> = {}): OAuth2Provider<XProfile> {
  return {
    id: "twitter",
    name: "X",
    type: "oauth",
    authorization: {
      url: "https://x.com/i/oauth2/authorize",
      params: { scope: "users.read tweet.read offline.access" },
    },
    token: { url: "https://api.x.com/2/oauth2/token", conform: nameRefusedGrant },
    userinfo: {
      url: "https://api.x.com/2/users/me",
      params: { "user.fields": "profile_image_url" },
      conform: refuseErrors,
    },
    profile({ data }) {
      const { id, name, profile_image_url, confirmed_email } = data;
      const email = confirmed_email ?? null;
      return { id, name, email, ...(email && { emailVerified: true }), image: profile_image_url ?? null };
    },
    verifiedEmail: ({ data }) => data.confirmed_email,
    style: { logo: LOGO, bg: "#000000", text: "#ffffff" },
    options: providerOptions("X", options),
  };
}

/** How X describes a code or refresh token that is used, expired or revoked. */
const REFUSED_GRANT = /^value passed for the (?:authorization code|(?:refresh )?token) was invalid/i;

/** X calls such an error `invalid_request`, where RFC 6749 §5.2 has `invalid_grant`. */
async function nameRefusedGrant(response: Response): Promise<Response | undefined> {
  if (response.ok) return undefined;
  const { error, error_description } = Object(await response.json().catch(() => null));
  return error === "invalid_request" && REFUSED_GRANT.test(error_description)
    ? Response.json({ error: "invalid_grant", error_description }, { status: 400 })
    : undefined;
}

/** X also reports errors with status 200 (https://docs.x.com/x-api/fundamentals/response-codes-and-errors). */
async function refuseErrors(response: Response): Promise<undefined> {
  const { data, errors } = response.ok ? Object(await response.json().catch(() => null)) : { data: null };
  if (data !== undefined) return;
  throw new Error(`X returned no user: ${errors?.[0]?.title}, ${errors?.[0]?.detail}`);
}

export default X;
