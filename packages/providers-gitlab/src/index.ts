import { type OAuth2Provider, type OAuthUserConfig, providerOptions } from "@cardea/core/providers";
import { LOGO } from "./logo.ts";

/** The members of GitLab's user response that are used here (https://docs.gitlab.com/api/users/). */
export interface GitLabProfile {
  /** The user's id; stays the same when the user name changes. */
  readonly id: number;
  /** The user name; can be changed. */
  readonly username: string;
  /** The display name. */
  readonly name: string;
  /** The primary e-mail address. */
  readonly email: string;
  /** When the address was confirmed. */
  readonly confirmed_at: string | null;
  /** URL of the avatar; null if there is none. */
  readonly avatar_url: string | null;
  /** State of the account, such as `active` or `blocked`. */
  readonly state?: string;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/** Options of {@link GitLab}. */
export interface GitLabOptions extends OAuthUserConfig<GitLabProfile> {
  /** Base URL of a self-managed GitLab; default `https://gitlab.com`. */
  baseUrl?: string;
}

/**
 * Sign-in with GitLab. Client id and secret come from the options, or from `AUTH_GITLAB_ID` and `AUTH_GITLAB_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function GitLab(options: GitLabOptions = {}): OAuth2Provider<GitLabProfile> {
  const { baseUrl = "https://gitlab.com", ...overrides } = options;
  const site = baseUrl.replace(/\/+$/, "");
  return {
    id: "gitlab",
    name: "GitLab",
    type: "oauth",
    authorization: { url: `${site}/oauth/authorize`, params: { scope: "read_user" } },
    token: { url: `${site}/oauth/token` },
    userinfo: { url: `${site}/api/v4/user` },
    profile({ id, name, username, email, confirmed_at, avatar_url }) {
      return { id, name: name ?? username, email, emailVerified: typeof confirmed_at === "string", image: avatar_url };
    },
    style: { logo: LOGO, bg: "#171321", text: "#ffffff" },
    options: providerOptions("GitLab", overrides),
  };
}

export default GitLab;
