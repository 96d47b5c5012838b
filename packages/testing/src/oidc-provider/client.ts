/** A registered application. */
export interface OidcClient {
  /** Identifies the application (RFC 6749 §2.2). */
  readonly clientId: string;
  /** Absent for a public client, which does not authenticate. */
  readonly clientSecret?: string;
  /** Allowed redirect URIs, compared exactly; list one per application and port. */
  readonly redirectUris: readonly string[];
  /** Allowed redirect URIs after signing out at the provider. */
  readonly postLogoutRedirectUris?: readonly string[];
  /** Destination of logout tokens (OIDC Back-Channel Logout §2.2). */
  readonly backchannelLogoutUri?: string;
  /** The application's name on the provider's pages. Default: the client id. */
  readonly name?: string;
  /** Default `client_secret_basic`. */
  readonly tokenEndpointAuthMethod?: "client_secret_basic" | "client_secret_post";
}
