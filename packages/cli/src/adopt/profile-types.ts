/** The type of a provider's profile, and how its claims compare with those of Auth.js. */
export interface ProfileType {
  /** The name that the package exports. */
  readonly type: string;
  /**
   * The claims that it lists. `?`: may be absent, where Auth.js typed it as always present. `!`: has another type, such as one with null.
   * Auth.js typed every other claim as `any`; here it is unknown.
   */
  readonly claims: string;
}

/** The types of profiles by package. */
export const PROFILE_TYPES: Readonly<Record<string, ProfileType>> = {
  "@cardea/providers-apple": {
    type: "AppleProfile",
    claims: "sub email? email_verified! is_private_email? user!",
  },
  "@cardea/providers-atlassian": {
    type: "AtlassianProfile",
    claims: "account_id name email? picture? nickname? account_status?",
  },
  "@cardea/providers-auth0": {
    type: "Auth0Profile",
    claims: "sub name? email? email_verified? picture? nickname? updated_at!",
  },
  "@cardea/providers-authentik": {
    type: "AuthentikProfile",
    claims: "sub name? email? email_verified? picture? preferred_username? given_name? nickname? groups!",
  },
  "@cardea/providers-bitbucket": {
    type: "BitbucketProfile",
    claims: "account_id uuid? display_name? username? links! email? email_verified?",
  },
  "@cardea/providers-cognito": {
    type: "CognitoProfile",
    claims: "sub name? email? email_verified? picture? cognito:username? cognito:groups?",
  },
  "@cardea/providers-discord": {
    type: "DiscordProfile",
    claims: "id username global_name discriminator avatar! email! verified?",
  },
  "@cardea/providers-dropbox": {
    type: "DropboxProfile",
    claims: "account_id name email email_verified profile_photo_url?",
  },
  "@cardea/providers-facebook": {
    type: "FacebookProfile",
    claims: "id name email? picture!",
  },
  "@cardea/providers-fusionauth": {
    type: "FusionAuthProfile",
    claims:
      "sub name? email? email_verified? picture? preferred_username? given_name? family_name? applicationId? roles?",
  },
  "@cardea/providers-github": {
    type: "GitHubProfile",
    claims: "id login name email email_verified? avatar_url",
  },
  "@cardea/providers-gitlab": {
    type: "GitLabProfile",
    claims: "id username name email confirmed_at! avatar_url! state?",
  },
  "@cardea/providers-google": {
    type: "GoogleProfile",
    claims: "sub name? email? email_verified? picture? given_name? family_name? hd?",
  },
  "@cardea/providers-kakao": {
    type: "KakaoProfile",
    claims: "id kakao_account?",
  },
  "@cardea/providers-keycloak": {
    type: "KeycloakProfile",
    claims: "sub name? email? email_verified? picture? preferred_username? given_name? family_name? locale?",
  },
  "@cardea/providers-line": {
    type: "LINEProfile",
    claims: "sub name? picture? email?",
  },
  "@cardea/providers-linkedin": {
    type: "LinkedInProfile",
    claims: "sub name? email? email_verified? picture? given_name? family_name?",
  },
  "@cardea/providers-microsoft-entra-id": {
    type: "MicrosoftEntraIDProfile",
    claims: "sub oid? tid name? preferred_username? email? xms_edov!",
  },
  "@cardea/providers-naver": {
    type: "NaverProfile",
    claims: "resultcode message response",
  },
  "@cardea/providers-notion": {
    type: "NotionProfile",
    claims: "id name avatar_url person?",
  },
  "@cardea/providers-okta": {
    type: "OktaProfile",
    claims: "sub name? email? email_verified! picture? preferred_username? locale? zoneinfo?",
  },
  "@cardea/providers-reddit": {
    type: "RedditProfile",
    claims: "id name icon_img?",
  },
  "@cardea/providers-salesforce": {
    type: "SalesforceProfile",
    claims: "sub name? email? email_verified? picture? user_id? organization_id? preferred_username?",
  },
  "@cardea/providers-slack": {
    type: "SlackProfile",
    claims:
      "sub name? email? email_verified? picture? given_name? family_name? https://slack.com/user_id? https://slack.com/team_id?",
  },
  "@cardea/providers-spotify": {
    type: "SpotifyProfile",
    claims: "id display_name! email? images!",
  },
  "@cardea/providers-twitch": {
    type: "TwitchProfile",
    claims: "sub preferred_username email? email_verified? picture?",
  },
  "@cardea/providers-workos": {
    type: "WorkOSProfile",
    claims:
      "id first_name! last_name! email organization_id! connection_id? connection_type? raw_attributes! custom_attributes?",
  },
  "@cardea/providers-x": {
    type: "XProfile",
    claims: "data",
  },
  "@cardea/providers-yandex": {
    type: "YandexProfile",
    claims: "id login display_name? real_name? first_name? default_email? emails! default_avatar_id! is_avatar_empty?",
  },
  "@cardea/providers-zitadel": {
    type: "ZITADELProfile",
    claims: "sub name? email? email_verified? picture? preferred_username? given_name? family_name? locale?",
  },
  "@cardea/providers-zoom": {
    type: "ZoomProfile",
    claims: "id first_name last_name email verified? pic_url? account_id?",
  },
};

/** The kind of a claim: listed, listed as one that may be absent, listed with another type, or not listed. */
export type ClaimKind = "same" | "optional" | "different" | "unlisted";

const KINDS: Readonly<Record<string, ClaimKind>> = { "": "same", "?": "optional", "!": "different" };

/** How the type of a profile describes a claim. */
export function claimKind({ claims }: ProfileType, name: string): ClaimKind {
  const listed = claims.split(" ").find((one) => one.replace(/[?!]$/, "") === name);
  return listed === undefined ? "unlisted" : (KINDS[/[?!]?$/.exec(listed)?.[0] ?? ""] ?? "same");
}
