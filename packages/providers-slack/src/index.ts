import type { OIDCProvider, OIDCUserConfig } from "@cardea/core/providers";

/** The claims of Slack's ID tokens (https://docs.slack.dev/authentication/sign-in-with-slack/). */
export interface SlackProfile {
  readonly sub: string;
  readonly name?: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly picture?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  /** The user's id in the workspace. */
  readonly "https://slack.com/user_id"?: string;
  /** The workspace. */
  readonly "https://slack.com/team_id"?: string;
  readonly [member: string]: unknown;
}

/**
 * Sign-in with Slack. Client id and secret come from the options, or from `AUTH_SLACK_ID` and `AUTH_SLACK_SECRET`.
 *
 * @param options merged into the defaults: plain objects deeply, everything else is replaced.
 */
export function Slack(options: OIDCUserConfig<SlackProfile> = {}): OIDCProvider<SlackProfile> {
  return {
    id: "slack",
    name: "Slack",
    type: "oidc",
    issuer: "https://slack.com",
    // Slack rejects a code challenge unless the app has opted in to PKCE.
    checks: ["state", "nonce"],
    style: { bg: "#4a154b", text: "#ffffff" },
    options,
  };
}

export default Slack;
