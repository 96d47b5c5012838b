/** An application that may sign people in. */
export interface OidcClient {
  readonly clientId: string;
  /** Absent: a public client, which proves nothing. */
  readonly clientSecret?: string;
  /** Where people may be sent back to, exactly; several for several applications or ports. */
  readonly redirectUris: readonly string[];
  /** Where people may be sent after signing out here. */
  readonly postLogoutRedirectUris?: readonly string[];
  /** Where logout tokens are sent to (OIDC Back-Channel Logout §2.2). */
  readonly backchannelLogoutUri?: string;
  /** What the pages call it. Default: the client id. */
  readonly name?: string;
  /** Default `client_secret_basic`. */
  readonly tokenEndpointAuthMethod?: "client_secret_basic" | "client_secret_post";
}
