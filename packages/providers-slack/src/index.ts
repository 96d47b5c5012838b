import { type OIDCProvider, type OIDCUserConfig, providerOptions } from "@cardea/core/providers";
import { LOGO } from "./logo.ts";

/** The claims of Slack's ID tokens (https://docs.slack.dev/authentication/sign-in-with-slack/). */
export interface SlackProfile {
  /** The user's id. */
  readonly sub: string;
  /** The full name, as it is displayed (OIDC Core §5.1). Absent without the scope `profile`. */
  readonly name?: string;
  /** The e-mail address; trust it only with `email_verified` (OIDC Core §5.1). Absent without the scope `email`. */
  readonly email?: string;
  /** Whether the provider verified that the user controls the address (OIDC Core §5.1). Absent: the provider does not report it. */
  readonly email_verified?: boolean;
  /** URL of the profile picture (OIDC Core §5.1). */
  readonly picture?: string;
  /** First name (OIDC Core §5.1). */
  readonly given_name?: string;
  /** Last name (OIDC Core §5.1). */
  readonly family_name?: string;
  /** The user's id in the workspace. */
  readonly "https://slack.com/user_id"?: string;
  /** The workspace. */
  readonly "https://slack.com/team_id"?: string;
  /** Any other member that the provider sends. */
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
    style: { logo: LOGO, bg: "#4a154b", text: "#ffffff" },
    options: providerOptions("Slack", options),
  };
}

export default Slack;
