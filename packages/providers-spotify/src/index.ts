import { type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";
import { LOGO } from "./logo.ts";

/**
 * The members of Spotify's user response that are used here
 * (https://developer.spotify.com/documentation/web-api/reference/get-current-users-profile).
 */
export interface SpotifyProfile {
  /** The user's id. */
  readonly id: string;
  /** The name that is displayed; null if there is none. */
  readonly display_name: string | null;
  /** Spotify documents it as unverified. */
  readonly email?: string;
  /** The profile picture in several sizes; empty if there is none. */
  readonly images?: readonly { readonly url: string }[];
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Spotify. Client id and secret come from the options, or from `AUTH_SPOTIFY_ID` and `AUTH_SPOTIFY_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Spotify(options: OAuthUserConfig<SpotifyProfile> = {}): OAuth2Provider<SpotifyProfile> {
  return {
    id: "spotify",
    name: "Spotify",
    type: "oauth",
    authorization: { url: "https://accounts.spotify.com/authorize", params: { scope: "user-read-email" } },
    token: { url: "https://accounts.spotify.com/api/token" },
    userinfo: { url: "https://api.spotify.com/v1/me" },
    profile({ id, display_name, email, images }) {
      return { id, name: display_name, email: email ?? null, emailVerified: false, image: images?.[0]?.url ?? null };
    },
    style: { logo: LOGO, bg: "#1ed760", text: "#000000" },
    options: providerOptions("Spotify", options),
  };
}

export default Spotify;
