import { type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";

/**
 * The members of Zoom's user response that are used here
 * (https://developers.zoom.us/docs/api/users/#tag/users/get/users/{userId}).
 */
export interface ZoomProfile {
  /** The user's id. */
  readonly id: string;
  /** First name. */
  readonly first_name: string;
  /** Last name. */
  readonly last_name: string;
  /** The e-mail address of the account. */
  readonly email: string;
  /** 1 if the address is verified. */
  readonly verified?: number;
  /** URL of the profile picture; absent if there is none. */
  readonly pic_url?: string;
  /** Id of the Zoom account that the user belongs to. */
  readonly account_id?: string;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Zoom. Client id and secret come from the options, or from `AUTH_ZOOM_ID` and `AUTH_ZOOM_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Zoom(options: OAuthUserConfig<ZoomProfile> = {}): OAuth2Provider<ZoomProfile> {
  return {
    id: "zoom",
    name: "Zoom",
    type: "oauth",
    // Scopes are configured in the app at Zoom, which rejects requests with others.
    authorization: { url: "https://zoom.us/oauth/authorize", params: { scope: "" } },
    token: { url: "https://zoom.us/oauth/token", conform: describeError },
    userinfo: { url: "https://api.zoom.us/v2/users/me" },
    profile({ id, first_name, last_name, email, verified, pic_url }) {
      const name = [first_name, last_name].filter(Boolean).join(" ");
      return { id, name: name || null, email, emailVerified: verified === 1, image: pic_url ?? null };
    },
    style: { bg: "#0b5cff", text: "#ffffff" },
    options: providerOptions("Zoom", options),
  };
}

/** The description of an error is its `reason`, where RFC 6749 §5.2 has `error_description`. */
async function describeError(response: Response): Promise<Response | undefined> {
  if (response.ok) return undefined;
  const { error, reason } = Object(await response.json().catch(() => null));
  return reason ? Response.json({ error, error_description: reason }, { status: 400 }) : undefined;
}

export default Zoom;
