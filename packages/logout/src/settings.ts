import { checkOptions, optionRules } from "@cardea/extend";

/** Settings of `logout()`. */
export interface LogoutOptions {
  /**
   * Whether a sign-out also ends the session at the provider (OIDC RP-Initiated Logout). `"when-announced"` (default):
   * if the provider announces an `end_session_endpoint`. `"never"`: only if the call sets `federated: true`.
   */
  readonly provider?: "never" | "when-announced" | undefined;
  /**
   * Accepts logout tokens at POST `backchannel/{provider}` (OIDC Back-Channel Logout). Requires `sessions()`; default
   * false.
   */
  readonly backchannel?: boolean | undefined;
  /** Accepts logout tokens without `typ`, for providers that implement a draft; default false. `logout+jwt` and `JWT` are accepted. */
  readonly allowMissingType?: boolean | undefined;
  /**
   * Enables GET `frontchannel/{provider}` (OIDC Front-Channel Logout). Requires `sessions()`. Most browsers send no
   * cookies with these requests. Default false.
   */
  readonly frontchannel?: boolean | undefined;
  /** Revokes the tokens of OAuth 2 providers at sign-out (RFC 7009), by provider; default none. */
  readonly revoke?: readonly string[] | undefined;
  /** Texts of the page. */
  readonly texts?: Partial<LogoutTexts> | undefined;
}

/** The texts of the page that asks whether to sign out of the provider. */
export interface LogoutTexts {
  /** The heading. */
  readonly title: string;
  /** The question. */
  readonly lead: string;
  /** The button that signs out of the provider. */
  readonly submit: string;
}

/** The texts in English. */
export const TEXTS: LogoutTexts = {
  title: "Signed out",
  lead: "You’re signed out of this site. Do you also want to sign out of your account at the provider?",
  submit: "Sign out of the provider",
};

/** @throws TypeError for an invalid option. */
export function checkLogoutOptions(options: LogoutOptions): void {
  const { boolean, list, object, oneOf } = optionRules;
  checkOptions("logout()", options, {
    ...{ provider: oneOf("never", "when-announced"), backchannel: boolean, allowMissingType: boolean },
    ...{ frontchannel: boolean, revoke: list, texts: object },
  });
}
