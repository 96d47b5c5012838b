/** Settings of `logout()`. */
export interface LogoutOptions {
  /**
   * Whether a sign-out goes on at the provider that the session came from (OIDC RP-Initiated Logout). `"when-announced"` (default): where it
   * announces an `end_session_endpoint`. `"never"`: unless the call says `federated: true`.
   */
  readonly provider?: "never" | "when-announced" | undefined;
  /** Receives logout tokens at POST `backchannel/{provider}` (OIDC Back-Channel Logout). Needs `sessions()`; default false. */
  readonly backchannel?: boolean | undefined;
  /** Accepts logout tokens without `typ`, from providers that follow a draft; default false. */
  readonly allowMissingType?: boolean | undefined;
  /** Answers GET `frontchannel/{provider}` (OIDC Front-Channel Logout). Needs `sessions()`; most browsers send no cookies there. Default false. */
  readonly frontchannel?: boolean | undefined;
  /** Revokes the tokens of OAuth 2 providers at sign-out (RFC 7009), by provider; default none. */
  readonly revoke?: readonly string[] | undefined;
}
