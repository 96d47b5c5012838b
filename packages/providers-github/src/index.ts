import {
  type OAuth2Provider,
  type OAuthUserConfig,
  providerOptions,
  type UserinfoRequestContext,
} from "@cardea/core/providers";
import { LOGO } from "./logo.ts";

/**
 * The members of GitHub's user response that are used here
 * (https://docs.github.com/en/rest/users/users#get-the-authenticated-user).
 */
export interface GitHubProfile {
  /** The user's id; stays the same when the user name changes. */
  readonly id: number;
  /** The user name. */
  readonly login: string;
  /** The display name; null if the user has not set one. */
  readonly name: string | null;
  /** The primary address if it may be read, else the public one. */
  readonly email: string | null;
  /** Of the primary address. */
  readonly email_verified?: boolean;
  /** URL of the avatar. */
  readonly avatar_url: string;
  /** Any other member that the provider sends. */
  readonly [member: string]: unknown;
}

/** Options of {@link GitHub}. */
export interface GitHubOptions extends OAuthUserConfig<GitHubProfile> {
  /** A GitHub Enterprise Server or GHE.com, such as `{ baseUrl: "https://github.example.com" }`. */
  enterprise?: { readonly baseUrl?: string };
}

/**
 * Sign-in with GitHub. Client id and secret come from the options, or from `AUTH_GITHUB_ID` and `AUTH_GITHUB_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function GitHub(options: GitHubOptions = {}): OAuth2Provider<GitHubProfile> {
  const { enterprise, ...overrides } = options;
  const site = enterprise?.baseUrl?.replace(/\/+$/, "") ?? "https://github.com";
  const api = apiOf(site);
  return {
    id: "github",
    name: "GitHub",
    type: "oauth",
    issuer: `${site}/login/oauth`,
    authorization: { url: `${site}/login/oauth/authorize`, params: { scope: "read:user user:email" } },
    token: { url: `${site}/login/oauth/access_token`, conform: nameUsedCode },
    userinfo: { url: `${api}/user`, request: (context) => requestUser(`${api}/user`, context) },
    profile({ id, login, name, email, avatar_url }) {
      return { id, name: name ?? login, email, image: avatar_url };
    },
    style: { logo: LOGO, bg: "#24292f", text: "#ffffff" },
    options: providerOptions("GitHub", overrides),
  };
}

/**
 * A code that was used or has expired is `invalid_grant` (RFC 6749 §5.2), which starts the sign-in again. GitHub answers with status 200 and
 * a name of its own
 * (https://docs.github.com/en/apps/oauth-apps/maintaining-oauth-apps/troubleshooting-oauth-app-access-token-request-errors).
 */
async function nameUsedCode(response: Response): Promise<Response | undefined> {
  const { error, error_description } = Object(await response.json().catch(() => null));
  if (error !== "bad_verification_code") return undefined;
  const described = { error: "invalid_grant", error_description: `${error}: ${error_description ?? ""}` };
  return Response.json(described, { status: 400 });
}

/** github.com and GHE.com have a host for their API (https://docs.github.com/en/enterprise-cloud@latest/admin/data-residency), servers a path. */
function apiOf(site: string): string {
  const { host } = new URL(site);
  return host === "github.com" || host.endsWith(".ghe.com") ? `https://api.${host}` : `${site}/api/v3`;
}

/** Addresses are a separate resource, in pages of at most 100; without the scope to read it only the public address is known. */
async function requestUser(url: string, { tokens, fetch }: UserinfoRequestContext): Promise<Record<string, unknown>> {
  // GitHub rejects requests without a user agent.
  const headers = { authorization: `Bearer ${tokens.access_token}`, "user-agent": "cardea" };
  const user = await fetch(url, { headers });
  if (!user.ok) throw new Error(`GitHub responded with status ${user.status}: ${await user.text()}`);
  const emails = await fetch(`${url}/emails?per_page=100`, { headers });
  return { ...(await user.json()), ...(emails.ok ? primaryOf(await emails.json()) : {}) };
}

interface Address {
  readonly email: string;
  readonly primary: boolean;
  readonly verified: boolean;
}

function primaryOf(addresses: readonly Address[]) {
  const primary = addresses.find((address) => address.primary);
  return primary === undefined ? {} : { email: primary.email, email_verified: primary.verified };
}

export default GitHub;
